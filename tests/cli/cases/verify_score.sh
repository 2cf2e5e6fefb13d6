# SPDX-License-Identifier: MIT
# AS of a record against its path: by --score, by the record's own tag, by neither.
printf '>t\nACGTACGTACGTACGT\n' >t.fa
printf '>q\nACGAACACGTTTTACGT\n' >q.fa
# 4,6,2: a mismatch, 2 bases deleted, 3 inserted; 4 + 10 + 12.
row='q\t17\t0\t17\t+\tt\t16\t0\t16\t13\t19\t255\tNM:i:6'
path='cg:Z:3=1X2=2D4=3I4=\n'
printf "$row\tAS:i:-26\t$path" >bare.paf
printf "$row\tAS:i:-26\tsc:Z:affine:4,6,2\t$path" >named.paf
printf "$row\tAS:i:-28\tsc:Z:affine:4,6,2\t$path" >wrong.paf
printf "$row\tAS:i:-26\tsc:Z:affine:4,6\t$path" >broken.paf
printf "$row\tAS:i:4\t$path" >scored.paf
try rhomb verify bare.paf t.fa q.fa
try rhomb verify --score wfa bare.paf t.fa q.fa
try rhomb verify --score edit bare.paf t.fa q.fa
try rhomb verify named.paf t.fa q.fa
try rhomb verify wrong.paf t.fa q.fa
try rhomb verify --all wrong.paf t.fa q.fa
try rhomb verify --score affine:4,7,2 wrong.paf t.fa q.fa
try rhomb verify broken.paf t.fa q.fa
try rhomb verify --score wfa broken.paf t.fa q.fa
try rhomb verify --score match:2,4,4,2,24,1 scored.paf t.fa q.fa
try rhomb verify --score map-ont scored.paf t.fa q.fa
