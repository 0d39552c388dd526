//! Tests of the operations, on a core of their own with a listener that keeps what was issued.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    clippy::eq_op,
    clippy::float_cmp,
    reason = "bits and rounding are the subject"
)]

mod arith;
mod cast;
mod compare;
mod copy;
mod copy_pad;
mod errors;
mod golden;
mod reduce;
mod scalar_issue;

use std::cell::RefCell;
use std::rc::Rc;

use crate::chip::{Chip, CoreKind};
use crate::event::Pipe;
use crate::model::Core;
use crate::model::stream::{Event, GlobalSpan, Instr, Listener, Span};
use crate::ops::element::{Element, f16};
use crate::place::Place;
use crate::position::TPosition;
use crate::tensor::{Local, LocalTensor};

/// A local range: start and length in bytes.
type Range = (u32, u32);
/// A global range: start and length in bytes, and whether it is added to.
type GlobalRange = (u64, u64, bool);

/// An instruction that went through.
#[derive(Clone, Debug, PartialEq)]
struct Issued {
    name: &'static str,
    pipe: Pipe,
    reads: Vec<Range>,
    writes: Vec<Range>,
    global_reads: Vec<GlobalRange>,
    global_writes: Vec<GlobalRange>,
}

#[derive(Clone, Default)]
struct Log(Rc<RefCell<Vec<Issued>>>);

impl Listener for Log {
    fn on(&mut self, event: &Event<'_>, _at: Place) {
        if let Event::Instr(Instr { name, pipe, reads, writes, global_reads, global_writes }) =
            event
        {
            let local = |spans: &[Span]| spans.iter().map(|span| (span.addr, span.bytes)).collect();
            let global = |spans: &[GlobalSpan]| {
                spans.iter().map(|span| (span.offset, span.bytes, span.atomic)).collect()
            };
            self.0.borrow_mut().push(Issued {
                name,
                pipe: *pipe,
                reads: local(reads),
                writes: local(writes),
                global_reads: global(global_reads),
                global_writes: global(global_writes),
            });
        }
    }
}

/// A core to work on.
struct Desk {
    core: Core,
    log: Log,
}

impl Desk {
    fn new(chip: Chip, kind: CoreKind) -> Self {
        let log = Log::default();
        let core = Core::new(chip, kind, vec![Box::new(log.clone())], Place::here());
        core.state(Place::here()).unwrap().live = true;
        Desk { core, log }
    }

    fn a2() -> Self {
        Desk::new(Chip::AtlasA2, CoreKind::AIV)
    }

    /// A tensor at a fixed address.
    #[track_caller]
    fn at<T: Element>(&self, position: TPosition, addr: u32, len: usize) -> LocalTensor<T> {
        let at = Place::here();
        let piece = self.core.fixed_piece(position, addr, len, T::SIZE, at).unwrap();
        LocalTensor::new(&self.core, piece)
    }

    /// A tensor in UB.
    #[track_caller]
    fn ub<T: Element>(&self, addr: u32, len: usize) -> LocalTensor<T> {
        self.at(TPosition::VECCALC, addr, len)
    }

    /// A tensor in UB that holds `elements`.
    #[track_caller]
    fn put<T: Element>(&self, addr: u32, elements: &[T]) -> LocalTensor<T> {
        let tensor = self.ub(addr, elements.len());
        let mut state = self.core.state(Place::here()).unwrap();
        let bytes = state.memories.bytes_mut(&tensor.span()).unwrap();
        bytes.copy_from_slice(T::as_bytes(elements));
        tensor
    }

    /// What a tensor holds.
    fn get<T: Element>(&self, tensor: &LocalTensor<T>) -> Vec<T> {
        let mut elements = vec![T::default(); tensor.len()];
        let mut state = self.core.state(Place::here()).unwrap();
        let bytes = state.memories.bytes(&tensor.span()).unwrap();
        T::as_bytes_mut(&mut elements).copy_from_slice(bytes);
        elements
    }

    /// The instructions since the last call.
    fn issued(&self) -> Vec<Issued> {
        self.log.0.borrow_mut().drain(..).collect()
    }
}

/// Every value of f16.
fn all_f16() -> Vec<f16> {
    (0..=u16::MAX).map(f16::from_bits).collect()
}

/// Bit for bit; where both are not a number, any will do.
#[track_caller]
fn assert_same<T: Element>(found: &[T], expected: &[T], what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (i, (found, expected)) in found.iter().zip(expected).enumerate() {
        let both_nan = found != found && expected != expected;
        let same = T::as_bytes(&[*found]) == T::as_bytes(&[*expected]);
        assert!(same || both_nan, "{what}: element {i} is {found:?}, expected {expected:?}");
    }
}

/// `x` in f16, rounded once to nearest with ties to even, by its definition.
fn rounded(x: f64) -> f16 {
    let exponent = if x == 0.0 { -14 } else { (x.abs().log2().floor() as i32).max(-14) };
    let step = f64::powi(2.0, exponent - 10);
    let value = (x / step).round_ties_even() * step;
    if x.is_finite() && value.abs() > 65504.0 {
        return if x > 0.0 { f16::INFINITY } else { f16::NEG_INFINITY };
    }
    // What is left has no more digits than f16.
    f16::from_f64(if x.is_finite() { value } else { x })
}
