#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Golden tests of the program: tests/cli/run.sh [--update] [--program FILE] [CASE...]
#
# A case is a transcript, cases/NAME.case: a command, or a family of options. "$ " begins a command, which
# is followed by what it prints: its standard output, and its standard error with "! " in front; " => N"
# after it is an exit status other than 0. "> " begins a line of bash, followed by what that prints. All of
# it runs in one shell, in an empty folder, with `rhomb` in the PATH, and has to come to the same transcript
# again; what differs from machine to machine (device, seconds) is masked. --update writes that instead:
# read the difference before you commit it.
#
# A case is skipped where something is missing that it needs: "> # needs: device", which `rhomb devices`
# finds; "command NAME"; "python NAME", a module; "plot", with which the program was built, or "no plot";
# "sketch", the look at pairs, or "no sketch"; "FILE", which can be written.
# Exit status: 0 passed, 1 failed, 77 all were skipped.
set -u -o pipefail

source_folder=$(cd "$(dirname "$0")/../.." && pwd)
cases_folder=$source_folder/tests/cli/cases
program=$source_folder/build/host/cli/rhomb
update=false
while [ $# -gt 0 ]; do
    case $1 in
    --update) update=true ;;
    --program)
        program=$2
        shift
        ;;
    *) break ;;
    esac
    shift
done
if [ $# -eq 0 ]; then
    for file in "$cases_folder"/*.case; do
        set -- "$@" "$(basename "$file" .case)"
    done
fi
if [ ! -x "$program" ]; then
    echo "run.sh: no program at $program; see --program" >&2
    exit 1
fi

scratch=$(mktemp -d) || exit 1
trap 'chmod -R u+rwX "$scratch"; rm -rf "$scratch"' EXIT
mkdir "$scratch/bin"
ln -s "$(realpath "$program")" "$scratch/bin/rhomb"
export PATH="$scratch/bin:$PATH" LC_ALL=C RHOMB_SOURCE=$source_folder
# Kernels come from the driver's cache, as for all tests: to fill Rhomb's as well takes PoCL another build
# of each. Cases that are about Rhomb's cache have one of their own.
export RHOMB_CACHE_DIR=off
unset RHOMB_KERNEL_DIR

# The last two columns of a TSV line are the device and the seconds; it may have a score, and a strand.
# Whether the version says "built with MPI" depends on the build; test_mpi.sh looks for it.
mask_output() {
    awk -F '\t' -v OFS='\t' '(NF == 9 || (NF > 9 && NF < 13 && $(NF - 2) ~ /^(wavefront|bitparallel|trivial)$/)) && !/^#/ {
        # Which engine ends a run that "auto" began depends on the device.
        sub(/^(wavefront|bitparallel)$/, "ENGINE", $(NF - 2)); $(NF - 1) = "DEVICE"; $NF = "SECONDS" }
        /^rhomb [0-9.]+ / { sub(/ \(built with MPI\)$/, "") }
        { print }'
}

# Whether the device is a CPU is a matter of the machine, which the case `devices` looks at, and whether
# it takes so long that there is progress to report. The case `refusals` looks for the last line of a
# refusal.
mask_messages() {
    sed -E -e "/^rhomb: try 'rhomb help [a-z]+'\$/d" -e '/^rhomb: (no GPU found: )?running on the CPU /d' \
        -e '/^rhomb: [0-9.]+ %,( .*,)? ([0-9]+ min )?[0-9]+ s(, ETA .*)?$/d' \
        -e '/^rhomb: ([0-9]+ pairs, .*pairs\/s|reading records), .* s$/d' -e 's/^/! /'
}

# stop_working SIGNAL,... COMMAND...: sends the signals one after the other, once the sweep takes over
# in a pair that the engines share, as -v tells. Needs a pipe named log.
stop_working() {
    local signals=${1//,/ } signal line
    shift
    env --default-signal "$@" 2>log &
    while read -r line; do
        case $line in
        *' engine is faster')
            for signal in $signals; do
                kill -s "$signal" $! && sleep 0.01
            done 2>/dev/null
            ;;
        'rhomb: stopped'* | 'rhomb: error'*) echo "! $line" ;;
        esac
    done <log
    wait $!
    echo "=> $?"
}

# make_sequences PROGRAM: an awk program that writes sequences. bases(COUNT) are random ones, always the
# same; reversed(SEQUENCE) is the other strand; write(NAME, SEQUENCE) makes the file NAME.fa.
make_sequences() {
    awk 'function bases(count,    i, text) {
    for (i = 0; i < count; i++) {
        random = (random * 16807) % 2147483647
        text = text substr("ACGT", 1 + int(random / 1000) % 4, 1)
    }
    return text
}
function reversed(sequence,    i, other) {
    for (i = length(sequence); i > 0; i--)
        other = other substr("TGCA", index("ACGT", substr(sequence, i, 1)), 1)
    return other
}
function write(name, sequence) { print ">" name "\n" sequence >(name ".fa") }
BEGIN { random = 1 }
'"$1"
}

# The bash of a case: it prints the lines "> " and runs them, and has `command_line` run the others.
script_of() {
    awk 'function end_of_lines() {
    if (lines != "")
        print "show <<\"END OF LINES\"\n" shown "END OF LINES\n" lines
    shown = lines = ""
}
/^>( |$)/ { shown = shown $0 "\n"; lines = lines substr($0, 3) "\n"; next }
{ end_of_lines() }
sub(/^[$] /, "") { sub(/ => [0-9]+$/, ""); gsub(/\047/, "\047\\\047\047"); print "command_line \047" $0 "\047" }
END { end_of_lines() }' "$1"
}

# show: what it reads, and $? stays as it was.
show() {
    local status=$?
    cat
    return $status
}

# transcript PREFIX COMMAND...: runs it; after PREFIX and the exit status comes what it printed.
transcript() {
    local prefix=$1 status end
    shift
    "$@" >"$scratch/out" 2>"$scratch/err"
    status=$?
    [ $status -eq 0 ] || end=" => $status"
    echo "$prefix${end:-}"
    mask_output <"$scratch/out"
    mask_messages <"$scratch/err"
}

command_line() {
    transcript "\$ $1" eval "$1"
}

# try COMMAND...: of a loop or a function, where "$ " cannot be.
try() {
    transcript "+ $*" "$@"
}

# each COMMAND... -- VALUE...: the command with each of the values for %; those with which it prints the same,
# but for themselves, are in a line before that.
each() {
    local command=() value text order=()
    declare -A values=()
    while [ "$1" != -- ]; do
        command+=("$1")
        shift
    done
    shift
    for value in "$@"; do
        text=$(transcript for "${command[@]//%/$value}")
        [ ${#value} -lt 2 ] || text=${text//"$value"/%}
        [ -n "${values[$text]:-}" ] || order+=("$text")
        values[$text]+=" '$value'"
    done
    for text in "${order[@]}"; do
        echo "for${values[$text]}${text#for}"
    done
}

# interrupt SIGNAL COMMAND...: runs it, and sends the signal once the command is reading its standard
# input, which goes on until then: as a_long_input prints it, more than a pipe holds. Commands in the
# background ignore SIGINT unless they are told otherwise.
interrupt() {
    local signal=$1 feed
    shift
    mkfifo "$scratch/feed"
    env --default-signal "$@" <"$scratch/feed" >"$scratch/out" 2>"$scratch/err" &
    exec {feed}>"$scratch/feed"
    a_long_input >&$feed
    kill -s "$signal" $!
    wait $! 2>/dev/null # which says "Aborted"
    echo "=> $?" >"$scratch/status"
    exec {feed}>&-
    rm "$scratch/feed"
    mask_output <"$scratch/out"
    mask_messages <"$scratch/err"
    cat "$scratch/status"
}

a_long_input() {
    printf '>long\n'
    head -c 500000 /dev/zero | tr '\0' A
}

# without_reader COMMAND...: its standard output is a pipe whose reader has gone.
without_reader() {
    local reader writer
    mkfifo "$scratch/gone"
    exec {reader}<>"$scratch/gone" {writer}>"$scratch/gone" {reader}<&-
    rm "$scratch/gone"
    "$@" >&$writer {writer}>&-
    echo "=> $?"
    exec {writer}>&-
}

# ls: with the names in rows.
ls() {
    command ls -m -w 98 "$@"
}

# apart: what follows in the case runs in another empty folder.
apart() {
    cd "$(mktemp -d "$scratch/apart.XXXXXX")" || exit
}

# rows_of_json: JSON in lines that end where an object or an array does, of an object.
rows_of_json() {
    tr -d '\n\t' | sed -E 's/([]}],) *"/\1\n"/g'
    echo
}

# as_json FILE: nothing where FILE holds one JSON value, or where nothing here can tell.
as_json() {
    if command -v python3 >/dev/null; then
        python3 -m json.tool "$1" >/dev/null || echo "$1 is no JSON"
    elif command -v jq >/dev/null; then
        jq empty "$1" || echo "$1 is no JSON"
    fi
}

# Whether `rhomb devices` finds one: it is asked once.
has_device() {
    [ -n "${devices_status:-}" ] || { rhomb devices >/dev/null 2>&1; devices_status=$?; }
    [ "$devices_status" -ne 4 ]
}

# Whether something is missing here that the case NAME needs.
lacks_something() {
    local need
    while read -r need; do
        case $need in
        device) has_device || return 0 ;;
        plot) [[ $version != *without*plot* ]] || return 0 ;;
        'no plot') [[ $version == *without*plot* ]] || return 0 ;;
        sketch) [[ $version != *without*sketches* ]] || return 0 ;;
        'no sketch') [[ $version == *without*sketches* ]] || return 0 ;;
        python\ *) python3 -c "import ${need#python }" 2>/dev/null || return 0 ;;
        command\ *) command -v "${need#command }" >/dev/null || return 0 ;;
        *) [ -w "$need" ] || return 0 ;;
        esac
    done < <(sed -n 's/^> # needs: //p' "$cases_folder/$1.case")
    return 1
}

skip() {
    echo "skipped: $1"
    skipped=$((skipped + 1))
}

version=$(rhomb --version)
passed=0 failed=0 skipped=0 written=0
for name in "$@"; do
    if lacks_something "$name"; then
        skip "$name"
        continue
    fi
    mkdir "$scratch/$name"
    script_of "$cases_folder/$name.case" >"$scratch/$name.bash"
    # shellcheck source=/dev/null
    (cd "$scratch/$name" && . "$scratch/$name.bash") >"$scratch/$name.case" 2>&1 </dev/null
    if [ $? = 77 ]; then # a case may find out by itself
        skip "$name"
    elif $update; then
        cp "$scratch/$name.case" "$cases_folder/$name.case"
        written=$((written + 1))
    elif diff -u "$cases_folder/$name.case" "$scratch/$name.case"; then
        passed=$((passed + 1))
    else
        echo "FAILED: $name"
        failed=$((failed + 1))
    fi
done
if $update; then
    echo "$written written, $skipped skipped"
    exit 0
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ] || exit 1
[ $skipped -lt $# ] || exit 77
