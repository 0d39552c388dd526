//! Small kernels as their authors write them, right and wrong, and all that is said of each.

macro_rules! kernels {
    ($($(#[$meta:meta])* $name:ident on $chip:ident: $expected:expr, $kernel:expr;)*) => {$(
        #[test]
        $(#[$meta])*
        fn $name() {
            let expected: &[CheckId] = &$expected;
            let expected: Vec<_> = expected.iter().map(|check| check.id()).collect();
            assert_eq!(said(Chip::$chip, $kernel), expected);
        }
    )*};
}

mod chips;
mod cube;
mod data;
mod flags;
mod phases;
mod pipelines;
mod pools;
#[path = "../support/mod.rs"]
mod support;

use bufpool_runtime::prelude::*;
use bufpool_runtime::{CheckId, Depth, Queued, declare_sharing};
use support::{ids, ones};

const LEN: usize = 128;
const BYTES: u32 = 256;
const TILES: usize = 4;

type In = TQue<VECIN, 1>;
type Out = TQue<VECOUT, 1>;

fn zeros() -> GlobalTensor<f16> {
    GlobalTensor::zeros(LEN)
}

fn in_que(pipe: &TPipe, blocks: u32) -> Result<In> {
    let mut que = In::new();
    pipe.init_buffer(&mut que, blocks, BYTES)?;
    Ok(que)
}

fn out_que(pipe: &TPipe, blocks: u32) -> Result<Out> {
    let mut que = Out::new();
    pipe.init_buffer(&mut que, blocks, BYTES)?;
    Ok(que)
}

fn scratch<P: Position>(pipe: &TPipe) -> Result<TBuf<P>> {
    let mut buf = TBuf::new();
    pipe.init_tbuf(&mut buf, BYTES)?;
    Ok(buf)
}

fn load(que: &In, from: &GlobalTensor<f16>) -> Result<()> {
    let x = que.alloc_tensor::<f16>()?;
    data_copy(&x, from)?;
    que.enque(x)
}

fn compute<const DEPTH: usize>(x_que: &TQue<VECIN, DEPTH>, z_que: &Out) -> Result<()>
where
    Depth<DEPTH>: Queued,
{
    let (x, z) = (x_que.deque::<f16>()?, z_que.alloc_tensor::<f16>()?);
    abs(&z, &x, LEN)?;
    x_que.free_tensor(x)?;
    z_que.enque(z)
}

fn store(que: &Out, to: &GlobalTensor<f16>) -> Result<()> {
    let z = que.deque::<f16>()?;
    data_copy(to, &z)?;
    que.free_tensor(z)
}

fn flag(pipe: &TPipe, event: HardEvent) -> Result<()> {
    let id = pipe.alloc_event_id(event)?;
    pipe.set_flag(event, id)?;
    pipe.wait_flag(event, id)?;
    pipe.release_event_id(event, id)
}

/// A TBuf that is loaded and one that is computed into.
fn two_tensors(pipe: &TPipe) -> Result<(LocalTensor<f16>, LocalTensor<f16>)> {
    Ok((scratch::<VECIN>(pipe)?.get()?, scratch::<VECCALC>(pipe)?.get()?))
}

/// Copies a result out: somebody has to want it before it is overwritten.
fn copy_out(pipe: &TPipe, z: &LocalTensor<f16>) -> Result<()> {
    flag(pipe, HardEvent::V_MTE3)?;
    data_copy(&zeros(), z)?;
    flag(pipe, HardEvent::MTE3_V)
}

/// What a kernel ends with: ids of its findings, notes aside, and of the error that stopped it.
#[track_caller]
fn said(chip: Chip, kernel: impl FnOnce(&TPipe) -> Result<()>) -> Vec<&'static str> {
    said_on(CoreKind::AIV, chip, kernel)
}

#[track_caller]
fn said_on(
    kind: CoreKind,
    chip: Chip,
    kernel: impl FnOnce(&TPipe) -> Result<()>,
) -> Vec<&'static str> {
    let pipe = TPipe::builder(chip).core_kind(kind).checks(Checks::Full).build().unwrap();
    let ended = kernel(&pipe);
    let mut report = pipe.finish();
    if let Err(error) = &ended {
        report.add_error(error);
    }
    println!("{report}\n");
    let mut ids = ids(&report);
    ids.sort_unstable();
    ids.dedup();
    ids
}

/// One tile through both queues.
fn add_one(x_que: &In, z_que: &Out) -> Result<()> {
    load(x_que, &ones(LEN))?;
    compute(x_que, z_que)?;
    store(z_que, &zeros())
}
