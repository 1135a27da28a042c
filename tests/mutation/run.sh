#!/bin/sh
# Puts mistakes into a copy of the checkout, one at a time, and says which suites notice: sh tests/mutation/run.sh
#
#   run.sh [--jobs N] [FILTER...]     only rows whose title or room contains a FILTER; N copies work side by side
#   run.sh --sample 80/1          80 rows drawn at random, the same ones for a seed
#   run.sh --check [FILTER...]        only whether every row still applies; builds nothing
#
# README.md says how a row is written. The copies are in BUILD/mutation and are kept: the next run builds little.
set -eu
exec python3 "$(dirname "$0")/run.py" "$@"
