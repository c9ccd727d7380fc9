#!/bin/sh
# make install: the installed files, and that tools run from there. make uninstall removes them all.
. "$(dirname "$0")/lib.sh"

root=$tmp/root
check 'make install' make -C "$top" -s install DESTDIR="$root" PREFIX=/opt/sapp B="${BUILD#"$top/"}"
p=$root/opt/sapp
for f in bin/sapp share/man/man1/sapp.1 bin/sapp-plot bin/sapp-balance share/man/man1/sapp-plot.1 \
	share/man/man5/sapp-record.5 share/man/man7/sapp.7 \
	share/sapp/timeline.gp share/bash-completion/completions/sapp-plot share/zsh/site-functions/_sapp \
	share/fish/vendor_completions.d/sapp-lp.fish; do
	check "$f" test -s "$p/$f"
done
echo '{"kind":"chunks","name":"x","schedule":"1f1b","micro_batches":2,"forward":[1,1]}' >"$tmp/x"
check 'tools and drawing programs go together wherever they are' env -u SAPP_SHARE PATH="$p/bin:/usr/bin:/bin" \
	sh -c 'sapp-sim -e "$1" | sapp-plot -o "$1.svg" && test -s "$1.svg"' sh "$tmp/x"
mkdir "$tmp/elsewhere"
cp -r "$p/share/doc/sapp/examples" "$tmp/elsewhere"
check 'the examples run from a copy' env -u SAPP_SHARE PATH="$p/bin:/usr/bin:/bin" \
	sh -c 'cd "$1" && examples/megatron/run >said 2>&1 && grep -q "planned-" said' sh "$tmp/elsewhere"
same 'sapp runs them' "$("$p/bin/sapp-lp" -V)" "$("$p/bin/sapp" lp -V)"
check 'make uninstall' make -C "$top" -s uninstall DESTDIR="$root" PREFIX=/opt/sapp B="${BUILD#"$top/"}"
same 'nothing is left' '' "$(find "$root" ! -type d)"
done_testing
