//! Whether cost and memory grow with the number of operations, of blocks, or of findings.
//! Prints its own table; criterion has no eye for memory.

#![allow(clippy::cast_precision_loss, reason = "small numbers as data")]

use std::time::Instant;

use bufpool_runtime::prelude::*;

/// Numbers of operations.
const COUNTS: [u64; 3] = [1_000, 100_000, 10_000_000];

fn main() {
    println!("| operations | what | ns each | more memory, KiB |");
    println!("|---:|---|---:|---:|");
    for count in COUNTS {
        row(count, "queue cycle, api", |n| queue_cycles(n, 0, Checks::Api));
        row(count, "queue cycle, full", |n| queue_cycles(n, 0, Checks::Full));
        row(count, "queue cycle next to 62 blocks, full", |n| queue_cycles(n, 62, Checks::Full));
        row(count, "tile through a queue, full", |n| tiles(n, Checks::Full));
        row(count, "tile with a finding, full", findings);
    }
}

fn row(count: u64, what: &str, run: fn(u64) -> Result<()>) {
    let (memory, start) = (resident_kib(), Instant::now());
    run(count).expect("the program is legal");
    let each = start.elapsed().as_secs_f64() * 1e9 / count as f64;
    println!("| {count} | {what} | {each:.1} | {} |", resident_kib().saturating_sub(memory));
}

/// Most memory that the process has held so far; 0 where the system does not tell.
fn resident_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

fn pipe(checks: Checks) -> Result<TPipe> {
    TPipe::builder(Chip::AtlasA2).checks(checks).build()
}

/// Cycles of a queue of 2, next to another queue that fills the rest of the block records.
fn queue_cycles(count: u64, others: u32, checks: Checks) -> Result<()> {
    let pipe = pipe(checks)?;
    let (mut que, mut other) = (TQue::<VECIN, 1>::new(), TQue::<VECOUT, 1>::new());
    pipe.init_buffer(&mut que, 2, 1024)?;
    if others > 0 {
        pipe.init_buffer(&mut other, others, 1024)?;
    }
    for _ in 0..count {
        let x = que.alloc_tensor::<f16>()?;
        que.enque(x)?;
        let x = que.deque::<f16>()?;
        que.free_tensor(x)?;
    }
    drop(que);
    let report = pipe.finish();
    assert!(report.is_clean(), "{report}");
    Ok(())
}

/// Tiles of 64 bytes, in and out, over a global tensor of 64 KiB.
fn tiles(count: u64, checks: Checks) -> Result<()> {
    let pipe = pipe(checks)?;
    let mut que = TQueBind::<VECIN, VECOUT, 1>::new();
    pipe.init_buffer(&mut que, 2, 64)?;
    let (x_gm, z_gm) = (GlobalTensor::<f32>::zeros(16384), GlobalTensor::<f32>::zeros(16384));
    for i in 0..count {
        let start = i as usize * 16 % x_gm.len();
        let x = que.alloc_tensor::<f32>()?;
        data_copy(&x, &x_gm.slice(start..start + 16)?)?;
        que.enque(x)?;
        let x = que.deque::<f32>()?;
        data_copy(&z_gm.slice(start..start + 16)?, &x)?;
        que.free_tensor(x)?;
    }
    let _ = pipe.finish();
    Ok(())
}

/// Each round reads what the round before wrote, without waiting for it.
fn findings(count: u64) -> Result<()> {
    let pipe = pipe(Checks::Full)?;
    let mut buf = TBuf::<VECCALC>::new();
    pipe.init_tbuf(&mut buf, 64)?;
    let x_gm = GlobalTensor::<f32>::zeros(16);
    let x = buf.get::<f32>()?;
    for _ in 0..count {
        data_copy(&x, &x_gm)?;
        adds(&x, &x, 1.0, 16)?;
    }
    let _ = pipe.finish();
    Ok(())
}
