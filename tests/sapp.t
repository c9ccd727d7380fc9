#!/bin/sh
# sapp: the list of all tools, each tool by its short name, and manual pages.
. "$(dirname "$0")/lib.sh"

sapp >"$tmp/list"
same 'every tool is in the list, once' \
	"$(find "$BUILD/bin" "$top/scripts" -name 'sapp-*' | sed 's/.*sapp-//' | sort | xargs)" \
	"$(sed -n 's/^  \([a-z]*\)  .*/\1/p' "$tmp/list" | grep -vx sapp | sort | xargs)"
check 'with what sapp(7) says of it' sh -c 'grep "^  [a-z][a-z]*  " "$1" | sed "s/^  [a-z]*  *//" |
	while read -r line; do
		grep -qxF "$line" "$2" || { echo "$line"; exit 1; }
	done' sh "$tmp/list" "$top/man/sapp.7"
same 'each is run' "$(sapp-sim -V)" "$(sapp sim -V)"
same 'with its arguments, from any directory' "$(cd "$tmp" && sapp-sweep -h)" "$(cd "$tmp" && sapp sweep -h)"
same 'and its long name' "$(sapp-lp -V)" "$(sapp sapp-lp -V)"
chunks 1f1b 2 '[[1,1]]' '' >"$tmp/one"
same 'in pipes' "$(sapp-sim -j "$tmp/one" | tail -n 1)" "$(sapp sim -j <"$tmp/one" | tail -n 1)"
check 'its status is that of the tool' run 1 sapp lp "$tmp/none"
ln -s "$top/scripts/sapp" "$tmp/link"
same 'through a link' "$(sapp-balance -V)" "$("$tmp/link" balance -V)"
same 'the version' "sapp $(sapp-plot -V | sed 's/[^ ]* //')" "$(sapp -V)"
fails 'no tool' 2 "no tool 'nix'; run sapp for a list" sapp nix
fails 'a path' 2 "no tool '../x'" sapp ../x
fails 'an option' 2 "unknown option '-q'" sapp -q
fails 'the list on a full disk' 1 'No space left' sh -c 'sapp >/dev/full'
mkdir "$tmp/bin"
printf '#!/bin/sh\necho "$@"\n' >"$tmp/bin/man"
chmod +x "$tmp/bin/man"
page() { PATH=$tmp/bin:$PATH sapp help "$@" | sed 's/.*\///'; }
same 'manual pages' 'sapp-lp.1 sapp-tutorial.7 sapp-record.5 sapp.1' \
	"$(echo "$(page lp)" "$(page)" "$(page record)" "$(page sapp)")"
done_testing
