# SPDX-License-Identifier: MIT
# needs: plot
# needs: sketch
# Command lines that are refused as they stand, with exit status 2, before any file is opened: a row of
# refusals.tsv has what follows `rhomb`, as a shell reads it, and the message.
while IFS=$'\t' read -r arguments message; do
    eval "rhomb $arguments" </dev/null >printed 2>errors
    status=$?
    if [ $status = 2 ] && [ ! -s printed ] && [ "$(head -n 1 errors)" = "rhomb: error: $message" ] &&
        [[ $(sed 1d errors) == "rhomb: try 'rhomb help"* ]]; then
        echo refused >>refusals
    else
        printf 'rhomb %s => %s\n%s\nnot: %s\n' "$arguments" "$status" "$(cat printed errors)" "$message"
    fi
done <"$RHOMB_SOURCE/tests/cli/refusals.tsv"
wc -l <refusals
ls

apart
# What goes with what: the rules are those of the manual page, and each refuses each of its pairs of
# options with exit status 2, in its own words, before a file is opened: none of them is there.
rhomb help rules
sed -n '/^\.Sh WHAT GOES WITH WHAT/,/^\.Ed/p' "$RHOMB_SOURCE/host/cli/rhomb.1" | grep -E '^[a-z]+ +(-|[A-Z])' >manual
rhomb help rules | diff manual - && echo 'manual: same'

declare -A value=([--match]=names [--limit-as]=NA [--part]=1/2 [--strand]=+ [--rotate]=5 [--free-ends]=5
    [--end-bonus]=5 [--z-drop]=5 [--max-distance]=5 [--split-at]=9 [--chunk]=9 [--max-allele]=9
    [--min-identity]=90 [--resume-every]=9 [--tune]=group=64 [--output]=out [--target-region]=r
    [--query-region]=r [--resume]=file [--unaligned]=file [--report]=file [--callable]=file [--sample]=name
    [--score]=wfa [--jobs]=1)

# The arguments that make a term hold.
typed()
{
    echo "$1" | sed 's/ with /\n/g' | while read -r condition; do
        case $condition in
        '--mode other than'*) echo --mode local ;;
        *QUERIES) ;;
        '--mode extend') echo "$condition --score match:2,4,4,2" ;;
        *) echo "$condition ${value[$condition]:-}" ;;
        esac
    done
}

# What another rule would ask for first.
beside()
{
    case "$command $1 $2 $3" in
    'matrix --part excludes'*) echo --resume state ;;
    'matrix --format phylip excludes'*) echo --max-distance 5 ;;
    *'--match excludes --resume-every'*) echo --resume file ;;
    *'--md requires --alphabet'*) echo --format sam ;;
    esac
    case "$2 $3" in
    'requires --alphabet'*) echo --alphabet bytes ;;
    'requires --format'* | *'or --format'*) echo --format json ;;
    esac
}

items() { echo "$1" | sed 's/, /\n/g; s/ or /\n/g'; }

# refuses MESSAGE ARGUMENT...
refuses()
{
    local message=$1 files='none.t none.q' status
    shift
    [ "$command" = verify ] && files="none.paf $files"
    [[ $message == *'requires QUERIES' ]] && files=none.t
    message=${message//other than global/local}
    # shellcheck disable=SC2086 # words
    rhomb $command "$@" $files >printed 2>&1
    status=$?
    if [ $status = 2 ] && [ "$(head -n 1 printed)" = "rhomb: error: $message" ]; then
        echo refused >>refusals
    else
        echo "$command $*: $status: $(head -n 1 printed), not: $message"
    fi
}

rhomb help rules | while read -r command rule; do
    kind=$(echo "$rule" | grep -o -E -w 'requires|excludes')
    terms=${rule% "$kind" *} others=${rule#* "$kind" }
    [ "$terms" != 'MPI ranks' ] || continue # test_mpi.sh goes through those
    items "$terms" | while read -r term; do
        if [ "$kind" = requires ]; then
            # shellcheck disable=SC2046 # words
            refuses "$term requires $others" $(typed "$term") $(beside "$term" requires "$others")
        else
            items "$others" | while read -r other; do
                # shellcheck disable=SC2046 # words
                refuses "$term and $other exclude each other" $(typed "$term") $(typed "$other") \
                    $(beside "$term" excludes "$other")
            done
        fi
    done
done
wc -l <refusals

# What none forbids is accepted, and the files are missing: each option alone, or with the first one that it requires.
value+=([--device]=0 [--threads]=1 [--engine]=auto [--cache-dir]=off [--alphabet]=dna [--mode]=ends-free
    [--format]=tsv [--chain-direction]=query-to-target)
accepts()
{
    local files=none.t status required
    [[ $command == matrix || ($command == batch && $1 == --flush) ]] || files+=' none.q'
    [[ $command != compare || $1 == --output ]] || set -- "$@" --output folder
    for _ in 1 2; do
        # shellcheck disable=SC2086 # words
        rhomb $command "$@" $files >printed 2>&1
        status=$?
        required=$(sed -nE '1s/.* requires (--(format|mode|alphabet) [a-z-]+|--[a-z-]+).*/\1/p' printed)
        # shellcheck disable=SC2046 # words
        [ -z "$required" ] || set -- "$@" $(typed "$required")
    done
    [ $status = 3 ] || echo "$command $*: $status: $(head -n 1 printed)"
    echo accepted >>accepted
}
for command in compare distance align batch matrix; do
    rhomb help $command | grep -oE '^ +(-[A-Za-z], )?--[a-z-]+' | grep -o -e '--.*' | grep -vx -e --help |
        while read -r option; do
            case $command$option in
            align--cigar) accepts --cigar M ;;
            compare--output) accepts --output folder ;;
            compare--resume) accepts --resume ;;
            *) accepts "$option" ${value[$option]:+"${value[$option]}"} ;;
            esac
        done
done
wc -l <accepted
ls
