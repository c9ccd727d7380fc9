#!/bin/sh
# Fit the constants of clusters for the parts of experts anew, with each network left out; takes a minute.
exec "$(dirname "$0")/experts.pl" "$@"
