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
