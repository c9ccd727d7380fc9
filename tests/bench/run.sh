#!/bin/sh
# A real run here: predicted against measured step and peaks of examples/cpu-run, medians of REPEATS (5) rounds of
# STEPS (8) steps by each division in turn. Prints a table; the same as JSON lines in FILE with "run.sh FILE".
RECORDS=${1:-} REPEATS=${REPEATS:-5} STEPS=${STEPS:-8} exec "$(dirname "$0")/../../examples/cpu-run/run"
