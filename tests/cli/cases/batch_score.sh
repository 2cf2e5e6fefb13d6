# SPDX-License-Identifier: MIT
# needs: device
# Many pairs with a scoring, and other than end to end: every format, and options that do not fit.
printf '>GATTACAGATTACAGGGATTACATTTACA\n<GATTACATATTACAGATTACATTTACA\n>TTTTACGTACGTCCCC\n<GGACGTACGTGG\n>\n<ACGT\n>ACGTN\n<acgrn\n>ACGTACGTAC\n<ACGTACGTACGTTTT\n' >pairs.seq
try rhomb batch --score wfa --cigar pairs.seq
try rhomb batch --score map-ont pairs.seq
try rhomb batch --score map-ont --cigar --format json pairs.seq
try rhomb batch --score affine2p:4,6,2,20,1 --cigar --format paf pairs.seq
try rhomb batch --score wfa --max-distance 10 --no-header pairs.seq
try rhomb batch --score edit --no-header pairs.seq
try rhomb batch --mode local --score match:2,4,4,2 --cigar pairs.seq
try rhomb batch --mode local --score match:2,4,4,2 --ends-only --format json pairs.seq
try rhomb batch --mode local --score match:2,4,4,2 --cigar --format paf pairs.seq
try rhomb batch --mode local --score match:2,4,4,2 --format json pairs.seq
try rhomb batch --mode ends-free --free-ends 4 --score wfa --cigar pairs.seq
try rhomb batch --mode ends-free --free-ends 0,0,0,5 --cigar --no-header pairs.seq
try rhomb batch --mode extend --score match:2,4,4,2 --cigar pairs.seq
try rhomb batch --mode extend --score match:2,4,4,2 --z-drop 10 --end-bonus 20 --format json pairs.seq
printf '>CCC\n<AAA\n' >insertion.seq # no end, as in ksw2
try rhomb batch --mode extend --score match:1,19,39,3 --end-bonus 100000 --cigar insertion.seq

# The score of local alignments in PAF is that of their paths.
printf '>1\nGATTACATATTACAGATTACATTTACA\n' >target.fa
printf '>1\nCCCGATTACAGATTACAGGGATTACATTTACACC\n' >query.fa
rhomb batch --quiet --mode local --score asm20 --cigar --format paf target.fa query.fa >local.paf
try rhomb verify local.paf target.fa query.fa

try rhomb batch --mode local pairs.seq
try rhomb batch --mode extend --score wfa pairs.seq
try rhomb batch --mode local --score match:2,4,4,2 -K 3 pairs.seq
try rhomb batch --score affine:40000,39998,1 pairs.seq
