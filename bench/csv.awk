# SPDX-License-Identifier: MIT
#
# Reading the CSV files of the benchmarks: awk -f csv.awk -f PROGRAM FILE... For each row but the
# first, field["NAME"] is the field of that column, with its quotes removed; the PROGRAM's rules
# begin with `row`, which is true for rows and false for a file's first line. Fields are strings:
# number("NAME") is for comparing and computing.

function csv_split(line, fields,    count, at, rest)
{
    count = 0
    rest = line ","
    while (rest != "") {
        if (substr(rest, 1, 1) == "\"") {
            match(rest, /^"([^"]|"")*"/)
            fields[++count] = substr(rest, 2, RLENGTH - 2)
            gsub(/""/, "\"", fields[count])
            rest = substr(rest, RLENGTH + 2)
        } else {
            at = index(rest, ",")
            fields[++count] = substr(rest, 1, at - 1)
            rest = substr(rest, at + 1)
        }
    }
    return count
}

function number(name)
{
    return field[name] + 0
}

{
    csv_count = csv_split($0, csv_fields)
    row = FNR > 1
    for (csv_i = 1; csv_i <= csv_count; csv_i++) {
        if (!row)
            csv_names[csv_i] = csv_fields[csv_i]
        else
            field[csv_names[csv_i]] = csv_fields[csv_i]
    }
    if (!row)
        csv_columns = csv_count
}
