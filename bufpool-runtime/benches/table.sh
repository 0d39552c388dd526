#!/usr/bin/env bash
# Measures everything and prints the two tables of README.md: what the layer costs next to the same
# work by hand, and whether that grows. Takes about six minutes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

for bench in layer data cores replay; do
    cargo bench --quiet --bench "$bench" >&2
done
cargo bench --quiet --bench table
echo
cargo bench --quiet --bench scale
