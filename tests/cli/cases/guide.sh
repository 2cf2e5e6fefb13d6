# SPDX-License-Identifier: MIT
# needs: device
# needs: sketch
# What a sweep is guided by is in the stages and in the report: copies with a substitution in 12 bases.
awk 'function draw(n) {
        random = (random * 16807) % 2147483647
        return int(random / 1000) % n
    }
    BEGIN {
        random = 1
        print ">t" >"t.fa"
        print ">q" >"q.fa"
        for (i = 0; i < 140000; i++) {
            base = 1 + draw(4)
            printf "%s", substr("ACGT", base, 1) >"t.fa"
            printf "%s", substr("ACGTACGT", base + (draw(12) == 0 ? 1 + draw(3) : 0), 1) >"q.fa"
        }
        print "" >"t.fa"
        print "" >"q.fa"
    }'
rhomb distance --engine bitparallel -v t.fa q.fa 2>stages >/dev/null
echo "=> $?"
sed -n 's/.*inspect [^,]*, guide [^,]*, transfer .*/the guide is a stage/p' stages
rhomb distance --engine bitparallel --quiet --json t.fa q.fa |
    awk -F '[:,]' '/"distance"/ { distance = $2 } /"expected_distance"/ { expected = $2 }
        /"guide_bound"/ { bound = $2 } /"guide"/ { guide = $2 }
        END { print (distance <= bound && bound < 1.1 * distance && guide > 0 &&
                     distance < 2 * expected && expected < 2 * distance) }'
rhomb distance --engine bitparallel --no-sketch -v t.fa q.fa 2>&1 >/dev/null | grep -c 'guide'
# A matrix has the same guide, and the same distances with and without.
cat t.fa q.fa >both.fa
for option in '' --no-sketch; do
    rhomb matrix -v $option both.fa 2>notes >"matrix$option.tsv"
    grep -o '[0-9]* of these with a guide' notes
done
cmp matrix.tsv matrix--no-sketch.tsv
rhomb distance --no-header --quiet t.fa q.fa | cut -f 5 | grep -c -f - matrix.tsv
# Its plan too.
rhomb matrix --dry-run --quiet both.fa | awk -F '\t' -v known="$(cut -f 3 matrix.tsv | sed -n 2p)" '
    /^q/ { print $1, $2, $5, $6, ($12 < 2 * known && known < 2 * $12) } /^#/ && !/^# kernels/ { print substr($0, 1, 8) }'
