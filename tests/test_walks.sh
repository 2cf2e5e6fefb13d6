#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_walks.sh SOURCE: the walks of CONTRIBUTING.md are true. Each function is in its file and, but for
# the first of a walk, kernels, and those of a walk before, is called by one above it, by its name or as
# the member of a table that it is; what one function calls comes in its order.
set -eu -o pipefail
cd "$1"

# The tables' members, "MEMBER FUNCTION"; and the steps, "NUMBER FUNCTION FILE".
{
    grep -rhoE '\.[a-z_]+ = [a-z0-9_]+,$' host src --include='*.c' | sed 's/^\.\(.*\) = \(.*\),$/\1 \2/'
    sed -n '/^## Five walks$/,/^## What/s/^\([0-9]*\)\. `\([a-z0-9_]*\)` in \([a-z0-9_/]*\.[a-z]*\):.*/\1 \2 \3/p' \
        CONTRIBUTING.md
} | awk '
function fail(text) { print "test_walks: " text >"/dev/stderr"; failed = 1 }

# The body of a function in one line, "" if the file has none.
function body(name, file,    line, text, state) {
    while (state < 3 && (getline line <file) > 0) {
        if (line ~ "(^|[ *])" name "[(]" && line !~ /^[ \t\/]/) state = 1
        if (state == 1 && line ~ /;$/) state = 0
        if (state == 1 && line == "{") state = 2
        if (state == 2) text = text " " line
        if (state == 2 && line == "}") state = 3
    }
    close(file)
    return text
}

# Where a function calls another one, 0 if nowhere.
function call(text, name,    at) {
    at = match(text, "[^a-z0-9_]" name "[(,)]")
    return at || !(name in members) ? at : match(text, "->(" members[name] ")[(]")
}

NF == 2 { members[$2] = members[$2] ($2 in members && members[$2] != "" ? "|" : "") $1; next }
{
    name = $2; steps++; place = 0
    if ($1 == 1) { walks++; count = 0; last = "" }
    text = $3 ~ /[.]cl$/ ? "a kernel" : body(name, $3)
    if (text == "") fail($3 " has no function " name)
    for (i = count; i > 0 && !place; i--)
        if ((place = call(bodies[i], name)) > 0) caller = names[i]
    if (!place && $1 != 1 && $3 !~ /[.]cl$/ && !(name in known)) fail("nothing above it in its walk calls " name)
    if (place && caller == last && place <= before) fail(caller " calls " name " before the step above it")
    if (place) { last = caller; before = place }
    names[++count] = name; bodies[count] = text; known[name] = 1
    if ($1 != count || count > 15) fail("step " $1 " of a walk is its number " count " of at most 15")
}
END {
    if (walks != 5 || steps < 50) fail("there should be five walks, and are " walks " of " steps " steps")
    exit failed
}'
