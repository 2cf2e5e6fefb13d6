# shellcheck shell=bash
# SPDX-License-Identifier: MIT
#
# Runs the commands that a page shows, and compares what they print with what the page says. The page
# is the only copy: rhomb-cookbook(7), where they are between ".Bd -literal" and ".Ed", or README.md,
# between "```console" and "```". A line there that begins with "$ " is a command, which goes on in the
# next line after a backslash; up to the next command is its output, of both streams. The last two
# columns of distances, device and seconds, are DEVICE and SECONDS.
#
# Sourced by run.sh's case. To write the pages anew:
#     RHOMB_UPDATE_RECIPES=1 tests/cli/run.sh --program build/host/cli/rhomb cookbook

. "$RHOMB_SOURCE/tests/cli/recipe_files.sh"

# Programs of others, which need not be installed: what a page shows of them is kept then.
recipes_others='bcftools|jq|minimap2|samtools'

# Of a page to what is meant, and back.
recipes_decode()
{
    case $recipes_page in *.md) cat ;; *) sed -e 's/\\e/\\/g' -e 's/\\&//g' ;; esac
}

recipes_encode()
{
    case $recipes_page in *.md) cat ;; *) sed -e 's/\\/\\e/g' -e "s/^[.']/\\\\\&&/" ;; esac
}

# Whether a command needs a program that is not here.
recipes_lacks()
{
    local other
    # shellcheck disable=SC2013 # words
    for other in $(grep -o -w -E "$recipes_others" <<<"$1"); do
        command -v "$other" >/dev/null || return 0
    done
    return 1
}

# What depends on the machine.
recipes_mask()
{
    awk -F '\t' -v OFS='\t' 'NF >= 9 && $(NF - 2) ~ /^(wavefront|bitparallel|trivial)$/ {
        sub(/^(wavefront|bitparallel)$/, "ENGINE", $(NF - 2)); $(NF - 1) = "DEVICE"; $NF = "SECONDS" }
        { print }'
}

# Runs a command as a user would, in this folder; prints what it printed. A status other than 0 is
# shown as "=> STATUS".
recipes_output()
{
    local status
    bash -c "$1" >recipe.out 2>recipe.err </dev/null
    status=$?
    { recipes_mask <recipe.out; mask_messages <recipe.err | sed 's/^! //'; } | sed 's/[[:space:]]*$//'
    rm -f recipe.out recipe.err
    [ $status -eq 0 ] || echo "=> $status"
}

# recipes_run: the command that was read, and its output; `shown` is what the page has.
recipes_run()
{
    local text
    [ -n "$command" ] || return 0
    text=$(recipes_decode <<<"$command")
    if recipes_lacks "$text"; then
        printf '%s' "$shown"
    else
        recipes_output "${text#??}" | recipes_encode
    fi
    command='' shown=''
}

# The page with the output that its commands have now.
recipes_again()
{
    local line command='' shown='' inside=false goes_on=false begins='```console' ends='```'
    case $recipes_page in *.md) ;; *) begins='.Bd -literal*' ends='.Ed' ;; esac
    while IFS= read -r line; do
        # shellcheck disable=SC2053 # a pattern
        if $inside && [ "$line" = "$ends" ]; then
            recipes_run
            inside=false
        elif ! $inside && [[ $line == $begins ]]; then
            inside=true
        elif $inside && $goes_on; then
            command+=$'\n'$line
        elif $inside && [[ $line == '$ '* ]]; then
            recipes_run
            command=$line
        elif $inside && [ -n "$command" ]; then
            shown+=$line$'\n'
            continue
        fi
        printf '%s\n' "$line"
        case $line in *\\ | *'\e') goes_on=$inside ;; *) goes_on=false ;; esac
    done <"$recipes_page"
}

# compare_recipes PAGE: prints how many commands there are and where the page differs from what they
# print.
compare_recipes()
{
    local recipes_page=$RHOMB_SOURCE/$1
    recipe_files
    recipes_again >../page
    if [ -n "${RHOMB_UPDATE_RECIPES:-}" ]; then
        cp ../page "$recipes_page"
    fi
    diff -u --label "$1" --label "what its commands print" "$recipes_page" ../page &&
        echo "$1: same"
}
