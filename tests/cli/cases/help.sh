# SPDX-License-Identifier: MIT
# needs: plot
# needs: sketch
# Help and version: on standard output with status 0, and the same by every way to ask for it. The
# short help is one screen, and its examples are good command lines.
try rhomb --version
try rhomb help
try rhomb help align
for command in compare distance align batch matrix verify report plot devices help; do
    try rhomb $command -h | tee short
    [ "$(wc -l <short)" -le 26 ] || echo "rhomb $command -h: more than 24 lines"
    rhomb help $command >by_command
    rhomb $command --help | cmp by_command -
    rhomb --help $command | cmp by_command -
    rhomb -h $command | cmp by_command -
    cat short by_command | awk 'length > 80 { print "more than 80 columns: " $0 }'
    sed -n "s/^  rhomb $command //p" short | while read -r arguments; do
        # shellcheck disable=SC2086 # words
        OCL_ICD_VENDORS=$PWD rhomb $command $arguments >printed 2>&1 </dev/null
        [ $? != 2 ] || cat printed
    done
done
rhomb help >by_command
rhomb --help >by_long
rhomb -h >by_short
cmp by_command by_long
cmp by_command by_short
try rhomb
