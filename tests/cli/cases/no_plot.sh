# SPDX-License-Identifier: MIT
# needs: no plot
# A program that was built without Cairo says so wherever it speaks of plots.
try rhomb --version
try rhomb help plot
try rhomb plot -h
try rhomb plot --help out.paf
try rhomb plot out.paf -o out.svg
try rhomb plot
rhomb help | grep plot
try rhomb report -o out.html out.paf t.fa q.fa
ls
