#!/bin/sh
# Completion in zsh and fish: every tool is in both files; if the shells are installed, they accept the files.
. "$(dirname "$0")/../lib.sh"
for tool in "$BUILD"/bin/sapp-* "$top"/scripts/sapp*; do
	called=$(basename "$tool")
	check "zsh: $called" sh -c 'head -n 1 "$1" | grep -qw -- "$2"' sh "$top/share/sapp.zsh" "$called"
	check "fish: $called" sh -c 'grep "^for tool in" "$1" | grep -qw -- "$2"' sh "$top/share/sapp.fish" "$called"
done
for shell in zsh fish; do
	if command -v $shell >/dev/null; then
		check "$shell takes its file" $shell -n "$top/share/sapp.$shell"
	else
		skip "$shell is not installed"
	fi
done
if command -v fish >/dev/null; then
	same 'fish: tools of sapp' balance "$(fish -c 'source $argv[1]; complete -C "sapp ba"' "$top/share/sapp.fish")"
	same 'fish: their options' "$(fish -c 'source $argv[1]; complete -C "sapp-lp -me"' "$top/share/sapp.fish")" \
		"$(fish -c 'source $argv[1]; complete -C "sapp lp -me"' "$top/share/sapp.fish")"
else
	skip 'fish is not installed'
fi
done_testing
