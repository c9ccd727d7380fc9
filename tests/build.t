#!/bin/sh
# The flags that reach the compiler: the planner is optimized whatever CFLAGS are, unless OPTIMIZE changes this.
. "$(dirname "$0")/lib.sh"
cd "$top" || exit 1
unset MAKEFLAGS MAKEOVERRIDES OPTIMIZE CFLAGS SAN B	# of a make that runs this

# flags OBJECT VARIABLE...: print the -O of its compilation; the last -O counts.
flags() { object=$1; shift; make -n B="$tmp/b" "$@" "$tmp/b/$object" | grep -o ' -O[^ ]*' | xargs; }
same "the planner's own" "-O2 -O3" "$(flags sapp-lp/main.o CFLAGS=-O2)"
same "the planner's with other flags" "-O0 -O3" "$(flags sapp-lp/model/evaluator.o CFLAGS='-O0 -g')"
same "the planner's without" "-O1" "$(flags sapp-lp/main.o CFLAGS=-O1 OPTIMIZE=)"
same "the library's" "-O0" "$(flags lib/base/slurp.o CFLAGS='-O0 -g')"
done_testing
