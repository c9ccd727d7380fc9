#!/bin/sh
# A real run on this machine: predicted and measured step and peaks of examples/cpu-run, medians of REPEATS (5) rounds
# of STEPS (8) steps with each division in turn. Prints a table; "run.sh FILE" also writes it to FILE as JSON lines.
RECORDS=${1:-} REPEATS=${REPEATS:-5} STEPS=${STEPS:-8} exec "$(dirname "$0")/../../examples/cpu-run/run"
