# SPDX-License-Identifier: MIT
# needs: device
# Bytes outside the alphabet: status 3, the message says which and where.
printf '>t\nACGTACGT\n' >t.fa
printf '>bad\nACGT*CGT\n' >bad.fa
try rhomb distance t.fa bad.fa
try rhomb distance bad.fa t.fa
try rhomb distance --dry-run t.fa bad.fa
try rhomb distance --no-header --alphabet bytes t.fa bad.fa
