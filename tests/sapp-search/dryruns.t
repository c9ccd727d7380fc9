#!/bin/sh
# A job makes the dryruns of its candidates, continues after interruptions, and searches with their peaks.
. "$(dirname "$0")/../lib.sh"
mkdir "$tmp/w" && cd "$tmp/w" || exit 1
example=$top/examples/ratios
cat >job.yaml <<END
model: $example/train.yaml
devices: 1024
cluster: atlas-900-a3
memory: 56320
global_batch: 1024
target: mindformers
dryruns: sh ./train
limits: {tp: [4, 8], cp: 1, pp: [8, 16], vp: 1, mbs: 1}
END
# 20000 MB for every device, and 400000 MB of experts divided by ep.
cat >train <<'END'
set -- $SAPP_RUN_SETTINGS
ep=$(sed -n 's/^ *expert_parallel: *\([0-9]*\).*/\1/p' "$2")
echo "$SAPP_RUN" >>started
[ ! -e broken ] || [ "$STAGE_ID" = 0 ] || exit 1
echo "Used peak memory usage (without fragments): $((20000 + 400000 / ep))M"
END
touch broken
check 'some dryruns fail' run 0 sapp-search -n -o s job.yaml
check 'which is said' tells 'some dryruns failed: the memory of their configurations is computed'
rm broken started
check 'a search begins with its dryruns' run 0 sapp-search -n -o s job.yaml
same 'those that are missing: of 8 runs, ep 8 and 16 of each tp and pp, the second and the last stage' '8 16' \
	"$(sort -u started | wc -l) $(wc -l <started)"
same 'peaks of all ep that fit' "$(for d in 8,8,16 16,4,16 16,8,8 32,4,8; do
	printf "$d,%s\n" 16,45000 32,32500 64,26250; done)" "$(sed 1d s/nd_candidate_config.csv)"
same 'are the memory of the candidates' 'fitted 32500' "$(jq -r '
	select(.kind == "estimate" and .dp == 8 and .ep == 32) |
	"\(.source.memory) \(.memory | max | round)"' s/work/estimates.jsonl)"
rm started
check 'again' run 0 sapp-search -n -o s job.yaml
check 'none is made twice' test ! -e started
sed 's/target: .*/target: megatron/' job.yaml >bad.yaml
fails 'another target' 1 'dryruns: needs target: mindformers and a training YAML' sapp-search -n -o b bad.yaml
{ cat job.yaml; echo "peaks: $example/dryruns"; } >bad.yaml
fails 'peaks that are there' 1 'dryruns: not with peaks' sapp-search -n -o b bad.yaml
sed 's/^dryruns: .*/dryruns: "true"/' job.yaml >bad.yaml
fails 'dryruns that say nothing' 1 'dryruns: no log of a dryrun has a peak' sapp-search -n -o b bad.yaml
done_testing
