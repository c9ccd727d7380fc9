#!/bin/sh
# Hundreds of stages with one chunk each: like hard.sh, with tests/data/stages.jsonl.
DATA=stages exec "$(dirname "$0")/hard.sh" "$@"
