#!/bin/sh
# Search and proof side by side on two threads: the same answer again, of one chunk and several, listed and priced.
. "$(dirname "$0")/../lib.sh"

BODY='"type":"BODY","memory_parameter":400,"memory_activation":90,"memory_select_rec":60,"memory_recompute":12'
cat >"$tmp/one" <<-END
	{"kind":"layer","name":"H","type":"HEAD","nb_layer":1,"time":4,"memory_parameter":900}
	{"kind":"layer","name":"B","nb_layer":18,"time":7.3,$BODY}
	{"kind":"layer","name":"T","type":"TAIL","nb_layer":1,"time":9,"memory_parameter":900}
END
cat >"$tmp/two" <<-END
	{"kind":"layer","name":"dense","nb_layer":5,"time":5.1,$BODY}
	{"kind":"layer","name":"moe","nb_layer":9,"time":7.7,$BODY}
END
# twice NAME FILE OPTION...: both times the same plan, proved optimal.
twice() {
	title=$1 file=$2; shift 2
	check "$title" run 0 sapp-lp -gap 0 -t 100 "$@" "$file"
	cp "$tmp/out" "$tmp/first"
	check "$title: again" run 0 sapp-lp -gap 0 -t 100 "$@" "$file"
	check "$title: the same answer" cmp "$tmp/first" "$tmp/out"
	same "$title: proved" optimal "$(jq -r 'select(.kind == "plan") | .status' "$tmp/out")"
}
twice "one chunk" "$tmp/one" -s 4 -mb 8 -mem 3000
twice "two chunks" "$tmp/one" -s 4 -mb 8 -i 2 -mem 2900
twice "two kinds of layers" "$tmp/two" -s 3 -mb 6 -i 2 -mem 2700
twice "split backwards" "$tmp/one" -s 4 -mb 8 -S zb-h1 -mem 3400
twice "folded stages" "$tmp/one" -s 4 -mb 8 -S dualpipe -mem 7000
done_testing
