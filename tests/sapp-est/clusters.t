#!/bin/sh
# Installed cluster records are listed; one of them is the beginning of your own.
. "$(dirname "$0")/../lib.sh"
cd "$tmp" || exit 1
check 'clusters are listed' run 0 sapp-est -clusters
same 'all of them' "$(cd "$top/share/clusters" && ls -- *.json | sed 's/.json$//')" "$(sed 1d out | cut -d' ' -f1)"
same 'with what they are for, and how far to trust them' 'a100-40gb 8 40960 dense, 16 bits borrowed as a100-80gb' \
	"$(sed -n '/^a100-40gb/s/  */ /gp' out)"
check 'one to edit' run 0 sapp-est -cluster-template h100
cp out mine.json
same 'is the record, under another name' "$(jq -cS 'del(.fitted, .name) | .confidence = "borrowed"' \
	"$top/share/clusters/h100.json")" "$(jq -cS 'del(.name)' mine.json)"
check 'and a cluster' run 0 sapp-est -cluster mine.json /dev/null
fails 'one that is none' 1 "neither a file nor known 'h1000'" sapp-est -cluster-template h1000
echo '{"kind":"cluster","name":"x","links":[]}' >bad.json
fails 'all members that are missing are named at once' 1 \
	"cluster: missing member 'devices_per_node', also 'peak', also 'memory_bandwidth', also 'efficiency'" \
	sapp-est -cluster bad.json /dev/null
done_testing
