#!/bin/sh
# Test make deb and make dist: their contents, that the packaged tools run, and that two builds have the same bytes.
# Test where share/lpsolve finds lp_solve for a build.
. "$(dirname "$0")/lib.sh"
unset -f jq
b=${BUILD#"$top/"}
if ! command -v dpkg-deb >"$tmp/null" || ! command -v dpkg-query >"$tmp/null"; then
	skip "not on Debian: no package"
else
	# With the compression for users the test takes twice the time.
	long || export DPKG_DEB_COMPRESSOR_LEVEL=1
	check "make deb" make -C "$top" -s deb B="$b"
	deb=$(find "$BUILD" -maxdepth 1 -name 'sapp_*.deb')
	sum=$(sha256sum <"$deb")
	dpkg-deb -x "$deb" "$tmp/root"
	for f in bin/sapp-lp bin/sapp-sweep share/man/man1/sapp-lp.1.gz share/man/man5/sapp-record.5.gz \
		share/sapp/timeline.gp \
		share/bash-completion/completions/sapp share/doc/sapp/copyright; do
		check "has $f" test -s "$tmp/root/usr/$f"
	done
	echo '{"kind":"chunks","name":"x","schedule":"1f1b","micro_batches":2,"forward":[1,1]}' >"$tmp/x"
	check "what is in it runs" env -u SAPP_SHARE PATH="$tmp/root/usr/bin:/usr/bin:/bin" \
		sh -c 'sapp-sim -e "$1" | sapp-plot -o "$1.svg" && test -s "$1.svg"' sh "$tmp/x"
	depends=$(dpkg-deb -f "$deb" Depends)
	for p in libc6 libjansson4 libyaml-0-2 lp-solve liblapacke jq gnuplot-nox; do
		case ", $depends," in *", $p,"*) ok "depends on $p" ;; *) not_ok "depends on $p: $depends" ;; esac
	done
	if long; then
		check "again" make -C "$top" -s deb B="$b"
		same "the same bytes" "$sum" "$(sha256sum <"$deb")"
	fi
fi
if git -C "$top" rev-parse HEAD >"$tmp/null" 2>&1; then
	check "make dist" make -C "$top" -s dist B="$b"
	sum=$(sha256sum "$BUILD"/sapp-*.tar.gz)
	check "again" make -C "$top" -s dist B="$b"
	same "the same bytes" "$sum" "$(sha256sum "$BUILD"/sapp-*.tar.gz)"
	same "all files of the commit" "$(git -C "$top" ls-tree -r --name-only HEAD | wc -l)" \
		"$(tar -tzf "$BUILD"/sapp-*.tar.gz | grep -vc '/$')"
else
	skip "no commit: no tarball"
fi

# A user's own lp_solve takes precedence; without lp_solve the build names the documentation to read.
mkdir -p "$tmp/own/lib" "$tmp/own/include"
ln -s "$(find /usr/lib /usr/lib64 -name 'liblpsolve55.so' 2>/dev/null | head -n 1)" "$tmp/own/lib/liblpsolve55.so"
ln -s /usr/include/lpsolve "$tmp/own/include/lpsolve"
same "lp_solve of one's own" "-I$tmp/own/include -L$tmp/own/lib -Wl,-rpath,$tmp/own/lib -llpsolve55" \
	"$(LPSOLVE_DIR="$tmp/own" "$top/share/lpsolve" cc)"
check "and where the system has it" sh -c '"$0/share/lpsolve" cc 2>"$1" | grep -q lpsolve55 && [ ! -s "$1" ]' "$top" \
	"$tmp/err"
check "nowhere: it is said" sh -c '"$0/share/lpsolve" false 2>&1 >"$1" | grep -q "INSTALL.md"' "$top" "$tmp/null"
# No file uses instructions specific to the build machine.
check "no -march" \
	sh -c '! grep -nE "march=|mtune=|-mavx|immintrin|arm_neon" "$0/Makefile" && ! grep -rnE '\
'"immintrin|arm_neon|__attribute__.*target\(" "$0/tools"' "$top"
done_testing
