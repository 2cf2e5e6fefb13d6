# SPDX-License-Identifier: MIT
# needs: device
# The list, the self-test, and the same as JSON.
rhomb devices >list.txt
echo "=> $?"
sed -E -n '1s/ +/ /gp' list.txt
grep -c '^\* *[0-9]' list.txt
grep -c "^\* 'auto' opens device [0-9]*, .*: ." list.txt

rhomb devices --self-test >tested.txt
echo "=> $?"
grep '^self-test of device' tested.txt | grep -v -e ': passed in ' -e ': not run, '
grep -q ': passed in ' tested.txt && echo "some passed"

rhomb devices --self-test --json >list.json
echo "=> $?"
as_json list.json
grep -o '"[a-z_0-9]*":' list.json | sort -u
grep -c '"chosen":.*true' list.json
