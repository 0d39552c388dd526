#!/usr/bin/env bash
# Measures everything and prints the two tables of README.md: what the layer costs next to the same
# work by hand, and whether that grows. Three rounds, about eight minutes; rounds of before count too,
# until `target/criterion` is removed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

for round in 1 2 3; do
    for bench in layer data cores replay; do
        cargo bench --quiet --bench "$bench" -- --save-baseline "round-$round" >&2
    done
done
cargo bench --quiet --bench table
echo
cargo bench --quiet --bench scale
