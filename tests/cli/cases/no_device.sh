# SPDX-License-Identifier: MIT
# Without any OpenCL platform: status 4 and hints. A missing input is still told first.
mkdir no_vendors
export OCL_ICD_VENDORS=$PWD/no_vendors
printf '>t\nACGT\n' >t.fa
try rhomb devices
rhomb devices --json 2>/dev/null >list.json
echo "=> $?"
as_json list.json
try rhomb distance t.fa t.fa
try rhomb distance t.fa missing.fa
