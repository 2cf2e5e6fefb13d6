#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_vocabulary.sh SOURCE_DIR: no shipped text, comment or page has a word of vocabulary.list, where each stands with what to
# write instead.
set -u -o pipefail
cd "$1" || exit 1
failed=0
while IFS=$'\t' read -r word instead; do
    [[ -n $word && $word != '#'* ]] || continue
    found=$(grep -rnE --include='*.[ch]' --include='*.cl' --include='*.clh' --include='*.def' --include='*.md' \
        --include='*.[17]' -e "$word" include src host cl bench README.md CONTRIBUTING.md) || continue
    printf '%s\ntest_vocabulary.sh: write: %s\n' "$found" "$instead"
    failed=1
done <tests/vocabulary.list
exit $failed
