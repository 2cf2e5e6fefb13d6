# SPDX-License-Identifier: MIT
# needs: user
# A file that exists and may not be read.
printf '>a\nACGT\n' >good.fa
printf '>b\nACGT\n' >secret.fa
chmod 000 secret.fa
try rhomb distance secret.fa good.fa
