#!/bin/sh
# Every tool on small input while an allocation or a system call fails: a point of each kind; make check-long tries
# twenty, make fault more.
. "$(dirname "$0")/lib.sh"
if [ -n "${QUICK:-}" ]; then
	skip "sanitizers have allocators of their own"
else
	check "every tool ends with a message, or answers as if nothing had failed" \
		"$top/tests/fault/inject" -n "${FAULT_POINTS:-1}"
fi
done_testing
