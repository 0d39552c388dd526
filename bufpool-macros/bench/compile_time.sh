#!/usr/bin/env bash
# What the attribute costs in compile time: a table on standard output.
#
#   bufpool-macros/bench/compile_time.sh [rounds]
#
# 1. Clean builds of a crate that uses the attribute once, next to one that uses thiserror once.
#    "attribute" has a runtime of a few lines, made here, so that it is the cost of the macro and
#    of syn, quote and proc-macro2; "runtime" has all of bufpool-runtime. They are not incremental,
#    as what cargo builds of a registry never is: here bufpool is on a path, and thiserror is not.
# 2. The build after an edit of a file with 200 uses, next to the same file with none.
#
# Each number is the minimum of the rounds (5 unless said otherwise), and the rounds go through
# all cases in turn, so that a busy machine is busy for all of them. Needs cargo and bash.
set -euo pipefail

rounds=${1:-5}
uses=200
repo=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The numbers are of this script's own builds, whatever the shell is set to.
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR RUSTFLAGS RUSTC_WRAPPER CARGO_INCREMENTAL

# crate NAME DEPENDENCY SOURCE: a library on its own, outside of any workspace.
crate() {
    mkdir -p "$work/$1/src"
    cat >"$work/$1/Cargo.toml" <<EOF
[package]
name = "$1"
version = "0.1.0"
edition = "2024"

[features]
macros = []

[dependencies]
$2

[workspace]
EOF
    printf '%s\n' "$3" >"$work/$1/src/lib.rs"
}

# A struct of each kind, numbered.
pool() {
    cat <<EOF
#[bufpool_runtime::extern_impl_bufpool(position = VECCALC, bufid_size = 16)]
#[derive(Default)]
pub struct Pool$1;

EOF
}
plain() {
    cat <<EOF
#[derive(Default)]
pub struct Pool$1;

EOF
}
many() {
    for ((i = 0; i < uses; i++)); do "$1" "$i"; done
    echo 'pub fn edited() -> u32 { 0 }'
}

# The least that the output of the attribute needs, and the members as they are.
standin='pub use bufpool_macros::extern_impl_bufpool;
#[derive(Clone, Copy)]
pub enum TPosition { VECIN, VECOUT, VECCALC, A1, B1, C1 }
pub trait Position { const POSITION: TPosition; }
pub trait PoolPosition: Position {}
pub struct VECCALC;
impl Position for VECCALC { const POSITION: TPosition = TPosition::VECCALC; }
impl PoolPosition for VECCALC {}
pub struct TBufHandle;
pub type Result<T> = core::result::Result<T, u8>;
pub trait AnyPool {
    type Pos: PoolPosition;
    const POSITION: TPosition = <Self::Pos as Position>::POSITION;
    type __Blocks;
    const BUFID_SIZE: u8;
    fn __state(&self) -> &PoolState;
    fn __state_mut(&mut self) -> &mut PoolState;
}
#[derive(Default)]
pub struct PoolState { addr: u32, count: u8 }
impl PoolState {
    fn init(&mut self) {}
    fn reset(&mut self) -> Result<()> { Ok(()) }
    fn buf_handle<P: AnyPool>(&self, _: u8) -> Result<TBufHandle> { Ok(TBufHandle) }
    fn set_cur_addr(&mut self, addr: u32) { self.addr = addr; }
    fn cur_addr(&self) -> u32 { self.addr }
    fn set_cur_buf_size(&mut self, count: u8) { self.count = count; }
    fn cur_buf_size(&self) -> u8 { self.count }
}
impl Drop for PoolState { fn drop(&mut self) { self.addr = 0; } }
pub mod blocks {
    pub struct Known;
}
pub mod __private {
    pub use super::{__bufpool_members as members, *};
}'
members=$(grep -v -e '^use ' -e '^//!' "$repo/bufpool-runtime/src/custom_pool.rs")
standin=$standin$'\n'$members

crate bufpool-runtime "bufpool-macros = { path = \"$repo/bufpool-macros\" }" "$standin"
standin_path="bufpool-runtime = { path = \"$work/bufpool-runtime\" }"
runtime_path="bufpool-runtime = { path = \"$repo/bufpool-runtime\" }"

error='#[derive(Debug, thiserror::Error)]
#[error("a pool has no block {0}")]
pub struct NoBlock(pub u8);'
thiserror=$(sed -n 's/^thiserror = "\(.*\)"$/\1/p' "$repo/Cargo.toml")

crate once-thiserror "thiserror = \"$thiserror\"" "$error"
crate once-attribute "$standin_path" "$(pool 0)"
crate once-runtime "$runtime_path" "$(pool 0)"
crate edit-none "$standin_path" "$(many plain)"
crate edit-uses "$standin_path" "$(many pool)"
once=(once-thiserror once-attribute once-runtime)
edits=(edit-none edit-uses)

declare -A wall cpu

# measure KEY COMMAND...: keeps the least time, by the clock and of the processor, of all calls
# with the key.
measure() {
    local key=$1 times
    shift
    TIMEFORMAT='%R %U %S'
    times=$({ time "$@" >"$work/log" 2>&1; } 2>&1) || { cat "$work/log" >&2; exit 1; }
    least "$key" $(awk '{ printf "%.0f %.0f", $1 * 1000, ($2 + $3) * 1000 }' <<<"$times")
}
least() {
    if [[ -z ${wall[$1]:-} || $2 -lt ${wall[$1]} ]]; then wall[$1]=$2; fi
    if [[ -z ${cpu[$1]:-} || $3 -lt ${cpu[$1]} ]]; then cpu[$1]=$3; fi
}

cargo_quiet() {
    cargo "$1" --quiet --manifest-path "$work/$2/Cargo.toml"
}

# Another body each time, of the same length.
edit() {
    sed -i.old "s/-> u32 { .* }/-> u32 { $((10000 + RANDOM % 9000)) }/" "$work/$1/src/lib.rs"
}

# Downloads, and first builds of what is edited, before the clock runs.
for name in "${once[@]}"; do cargo fetch --quiet --manifest-path "$work/$name/Cargo.toml"; done
for name in "${edits[@]}"; do
    for command in check build; do cargo_quiet "$command" "$name" 2>"$work/log"; done
done

for ((round = 1; round <= rounds; round++)); do
    echo "round $round of $rounds" >&2
    for name in "${once[@]}"; do
        rm -rf "$work/$name/target"
        CARGO_INCREMENTAL=0 measure "$name" cargo_quiet build "$name"
    done
    for command in check build; do
        for name in "${edits[@]}"; do
            edit "$name"
            measure "$command-$name" cargo_quiet "$command" "$name"
        done
    done
done

once_row() {
    awk -v name="$1" -v wall="${wall[$2]}" -v cpu="${cpu[$2]}" -v base="${wall[once-thiserror]}" \
        'BEGIN { printf "| %s | %d | %.2f | %d |\n", name, wall, wall / base, cpu }'
}
edit_row() {
    awk -v name="$1" -v uses="$uses" \
        -v none="${wall[$2-edit-none]}" -v all="${wall[$2-edit-uses]}" \
        -v cpu_none="${cpu[$2-edit-none]}" -v cpu_all="${cpu[$2-edit-uses]}" \
        'BEGIN { printf "| %s | %d | %d | %.2f | %.2f |\n", name, none, all, (all - none) / uses, (cpu_all - cpu_none) / uses }'
}

echo "Minimum of $rounds. By the clock unless it says processor."
echo
echo "| clean build of one use | ms | of thiserror | processor ms |"
echo "|---|---:|---:|---:|"
once_row "thiserror" once-thiserror
once_row "attribute, small runtime" once-attribute
once_row "attribute, bufpool-runtime" once-runtime
echo
echo "| edit of a file with $uses structs | none use it, ms | all use it, ms | ms a use | processor ms a use |"
echo "|---|---:|---:|---:|---:|"
edit_row "cargo check" check
edit_row "cargo build" build
