# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# Timing of whole commands, for compare.sh and gpu.sh: wall-clock and CPU seconds, with
# medians. Sourced. Needs bash, awk and coreutils alone: the machine with the GPU may have no more.

# time_command LOG SECONDS COMMAND...: runs a command with a limit, its output into a file that
# $output names; appends "wall cpu" to LOG and fails when the command does.
time_command()
{
    local log=$1 limit=$2 code times TIMEFORMAT='%R %U %S'
    shift 2
    times=$({ time timeout "$limit" "$@" >"$output" 2>"$output.err"; } 2>&1)
    code=$?
    [ $code -eq 0 ] || return $code
    awk '{ print $1, $2 + $3 }' <<<"$times" >>"$log"
}

# summary LOG FIELD: "median least most" of a column of a log, 1 for wall and 2 for CPU.
summary()
{
    awk -v f="$2" '{ print $f }' "$1" | sort -n |
        awk '{ v[NR] = $1 } END { m = int((NR + 1) / 2)
            print NR % 2 ? v[m] : (v[m] + v[m + 1]) / 2, v[1], v[NR] }'
}

# The CPU and how many cores the system shows, as rhomb_bench writes it.
describe_machine()
{
    awk -F ': ' '/^model name/ { print $2; exit }' /proc/cpuinfo | tr -d '\n'
    printf ', %s cores' "$(nproc)"
}

# csv FIELD...: one line, fields with commas or quotes quoted.
csv()
{
    local text separator=''
    for text in "$@"; do
        case $text in
        *[,\"]*) text=\"${text//\"/\"\"}\" ;;
        esac
        printf '%s%s' "$separator" "$text"
        separator=,
    done
    printf '\n'
}
