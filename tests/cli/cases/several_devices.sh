# SPDX-License-Identifier: MIT
# needs: device
# needs: sketch
# Several devices: the output is that of one, and -v says what each has done.
export POCL_DEVICES=${POCL_DEVICES:-basic pthread}
[ "$(rhomb devices 2>/dev/null | grep -cE '^[* ] *[0-9]+ +(gpu|cpu) ')" -ge 2 ] || exit 77
make_sequences 'BEGIN {
    for (k = 1; k <= 40; k++) {
        text = bases(200 + 50 * k)
        print ">chr" k "\n" text >"target.fa"
        print ">chr" k "\n" substr(text, 1, 99) "T" substr(text, 101) bases(9) >"query.fa"
        print ">" text "\n<" substr(text, 5) >"pairs.seq"
    }
}'
# same NAME COMMAND...: on one device and on all.
same() {
    local name=$1
    shift
    "$@" --quiet --device 0 | cut -f 1-8 >one
    "$@" --quiet --device all | cut -f 1-8 >all
    "$@" --quiet --device 1,0 | cut -f 1-8 | cmp - all
    cmp one all && echo "$name: $(wc -l <all)"
}
same batch rhomb batch --tune job-bases=8192,workers=1 pairs.seq
same 'batch, paths' rhomb batch --cigar --tune job-bases=8192 pairs.seq
same 'batch, local' rhomb batch --cigar --mode local --score match:2,4,4,2 --tune job-bases=8192 pairs.seq
same 'batch, long pairs' rhomb batch --tune last-limit=1,job-bases=8192 --cigar pairs.seq
same 'batch --match' rhomb batch --match best target.fa query.fa
same matrix rhomb matrix --tune job-pairs=50 target.fa
same 'matrix, scored' rhomb matrix --score affine:4,6,2 target.fa
same 'distance --match' rhomb distance --match names target.fa query.fa
same 'align --match' rhomb align --match names --format paf target.fa query.fa
same 'align --blocks' rhomb align --match names --blocks --format paf target.fa query.fa
# What each has done; together it is all.
# shares COMMAND...
shares() {
    "$@" -v --device all 2>&1 >/dev/null | sed -nE 's/^rhomb: device ([01]), [^:]*: ([0-9]+) pairs?( in [0-9]+ jobs?)?, busy .*/\1 \2/p' |
        awk '{ devices = devices " " $1; sum += $2 } END { print "devices" devices ":", sum, "pairs" }'
}
shares rhomb batch --tune job-bases=8192,workers=1 pairs.seq
shares rhomb batch --tune last-limit=1,job-bases=8192 pairs.seq
shares rhomb matrix target.fa
shares rhomb distance --match names target.fa query.fa
shares rhomb align --match names --format paf target.fa query.fa
rhomb distance --match names --quiet --json --device all target.fa query.fa |
    sed -n '/"devices"/,$p' | sed -E 's/"name":"[^"]*"/NAME/; s/"pairs":[0-9]+/PAIRS/; s/[0-9.]+}/SECONDS}/'
# The path of one pair, which the tuning has shared however short it is.
make_sequences 'BEGIN {
    print ">t" >"one.fa"
    print ">q" >"other.fa"
    for (k = 0; k < 800; k++) {
        text = bases(6)
        print text >"one.fa"
        print (k % 2 ? "A" : "") substr(text, 2) >"other.fa"
    }
}'
for engine in wavefront bitparallel; do
    aligned="rhomb align --no-sketch --engine $engine --tune chunk=1"
    # shellcheck disable=SC2086 # options
    {
        same "align --engine $engine" $aligned one.fa other.fa
        $aligned -v --device all one.fa other.fa 2>&1 >/dev/null |
            sed -nE 's/^rhomb: (path: device .* did )[1-9][0-9]* splits/\1SPLITS/p'
        $aligned --json --device all one.fa other.fa 2>/dev/null | tr -d ' \n\t' |
            grep -oE '"devices":\[\{"splits":[1-9][0-9]*\},\{"splits":[1-9][0-9]*\}\]' | sed -E 's/[0-9]+/SPLITS/g'
        $aligned --quiet --dry-run --device all one.fa other.fa | grep '^path'
        $aligned --quiet --dry-run --device 0 one.fa other.fa | grep -c '^path'
    }
done
# A sweep, which the tuning has shared however narrow it is; a wavefront is not.
for engine in bitparallel wavefront; do
    found="rhomb distance --no-sketch --engine $engine --tune chunk=1"
    # shellcheck disable=SC2086 # options
    {
        $found --quiet --no-header --device 0 one.fa other.fa | cut -f 1-7 >one
        $found --quiet --no-header --device all one.fa other.fa | cut -f 1-7 | cmp - one && echo "distance --engine $engine: the same"
        $found -v --device all one.fa other.fa 2>&1 >/dev/null |
            sed -nE 's/^rhomb: (device . of 2: )[1-9][0-9.]* % of the cells, .* sent.*/\1SHARE/p'
        $found --json --device all one.fa other.fa 2>/dev/null | tr -d ' \n\t' |
            grep -oE '"devices":\[\{"name":"[^"]*","index":[0-9]+,"cells":[1-9].*"seconds_idle":[0-9.e-]*}\]' | sed -E 's/"name":"[^"]*"/NAME/g; s/:[0-9.e-]+/:NUMBER/g'
        $found --quiet --dry-run --device all one.fa other.fa | grep -c 'shared by 2 devices'
    }
done
rhomb batch --device 0,7 pairs.seq 2>&1 | head -1
try rhomb batch --device 0,0 pairs.seq
