#!/bin/sh
# The same bytes on a loaded machine, for questions that end before their time, and for those whose time is counted.
exec "$(dirname "$0")/same.pl" "$@"
