//! What the tests of the checks share.
#![allow(dead_code, reason = "each test crate uses a part of it")]

pub mod random;
pub mod refusals;

use bufpool_runtime::prelude::*;
use bufpool_runtime::{CheckId, Place, Severity};

/// A custom pool whose blocks lie end to end.
#[extern_impl_bufpool(position = VECCALC, bufid_size = 16)]
#[derive(Default)]
pub struct Custom;

impl Custom {
    pub fn init_queue<S: Position, D: Position, const N: usize>(
        &mut self,
        que: &mut TQueBind<S, D, N>,
        num: u8,
        len: u32,
    ) -> Result<()> {
        let (first, addr) = (self.get_cur_buf_size(), self.get_cur_addr());
        que.init_start_buf_handle(self.get_buf_handle(first)?, num, len)?;
        for i in 0..num {
            que.init_buf_handle(
                self,
                i,
                self.get_buf_handle(first + i)?,
                addr + u32::from(i) * len,
                len,
            )?;
        }
        self.set_cur_addr(addr + u32::from(num) * len);
        self.set_cur_buf_size(first + num);
        Ok(())
    }
}

/// A pipe with all checks.
#[track_caller]
pub fn checked(chip: Chip) -> TPipe {
    TPipe::builder(chip).checks(Checks::Full).build().unwrap()
}

/// The same without the compiler's barriers between dependent vector instructions.
#[track_caller]
pub fn without_auto_barriers(chip: Chip) -> TPipe {
    TPipe::builder(chip).checks(Checks::Full).auto_v_barriers(false).build().unwrap()
}

/// Ids of all findings that are not notes, in the report's order, each once.
pub fn ids(report: &Report) -> Vec<&'static str> {
    let mut ids: Vec<_> = report
        .findings()
        .iter()
        .filter(|finding| finding.severity != Severity::Note)
        .map(|finding| finding.check.id())
        .collect();
    ids.dedup();
    ids
}

/// Asserts that the report holds these findings and no others, notes aside.
#[track_caller]
pub fn assert_found(report: &Report, expected: &[CheckId]) {
    let mut found: Vec<&str> = ids(report);
    let mut expected: Vec<&str> = expected.iter().map(|check| check.id()).collect();
    found.sort_unstable();
    found.dedup();
    expected.sort_unstable();
    assert_eq!(found, expected, "\n{report}");
}

/// Runs a kernel on a checked pipe and gives the report.
#[track_caller]
pub fn report_of(chip: Chip, kernel: impl FnOnce(&TPipe) -> Result<()>) -> Report {
    let pipe = checked(chip);
    if let Err(error) = kernel(&pipe) {
        panic!("the kernel failed: {error}");
    }
    pipe.finish()
}

/// Asserts that the finding names a place on this line.
#[track_caller]
pub fn assert_names(report: &Report, check: CheckId, place: Place) {
    let named = report
        .of(check)
        .any(|finding| finding.labels.iter().any(|label| label.place.line() == place.line()));
    assert!(named, "no {check} names line {}\n{report}", place.line());
}

/// Ones in global memory.
pub fn ones(len: usize) -> GlobalTensor<f16> {
    GlobalTensor::from_vec(vec![f16::from_f32(1.0); len])
}

/// Frees the only block of a queue, so that its flag is set.
#[track_caller]
pub fn free_one(que: &TQue<VECIN, 1>) -> Result<()> {
    let block = que.alloc_buffer()?;
    que.free_buffer(block)
}
