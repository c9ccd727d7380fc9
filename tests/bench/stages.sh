#!/bin/sh
# Stages by the hundred, one chunk each: as hard.sh, of tests/data/stages.jsonl.
DATA=stages exec "$(dirname "$0")/hard.sh" "$@"
