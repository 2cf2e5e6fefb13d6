# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# What scripts have in common that time whole commands: wall-clock and CPU seconds, medians, rows of CSV.
# Sourced. Needs bash, awk and coreutils alone: the machine with the GPU may have no more.

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

# fail TEXT...: says it; a script ends with 1 where `failed` is not empty.
failed=''
fail()
{
    echo "${0##*/}: $*" >&2
    failed=yes
}

# enter_scratch PROGRAMS: goes to a folder of its own, removed at the end, with a cache of programs and the
# file that $output names; finds the shared libraries of PROGRAMS/lib.
enter_scratch()
{
    [ ! -d "$1/lib" ] || export LD_LIBRARY_PATH=$1/lib:${LD_LIBRARY_PATH:-}
    scratch=$(mktemp -d) || exit 1
    trap 'rm -rf "$scratch"' EXIT
    cd "$scratch" || exit 1
    export RHOMB_CACHE_DIR=$scratch/cache output=$scratch/output
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
