//! What all errors have in common: the check that each breaks, the places that it names, and how
//! it becomes a finding of a report.

use std::fmt;

use crate::error::{BufPoolError, Trail, TrailLine};
use crate::error_data::DataError;
use crate::report::{CheckId, Finding, Severity};

/// The check of each variant. Exhaustive, so that no error comes without an id.
macro_rules! checks_of {
    (
        $error:ident: $($variant:ident => $check:ident,)*
        ; check: $($check_of:pat => $other_check:expr,)*
        ; trail: $($trail_of:pat => $other_trail:expr,)*
    ) => {
        impl $error {
            /// The check that the call breaks; its `id()` is stable and in kebab case.
            ///
            /// ```
            /// use bufpool_runtime::CheckId;
            /// use bufpool_runtime::prelude::*;
            /// # fn main() -> Result<()> {
            /// let pipe = TPipe::new(Chip::AtlasA2)?;
            /// let mut pool = TBufPool::<VECCALC>::new();
            /// let error = pool.init_buffer(&mut TQue::<VECIN, 1>::new(), 1, 64).unwrap_err();
            /// assert_eq!(error.check(), CheckId::PoolNotInitialised);
            /// assert_eq!(error.check().id(), "pool-not-initialised");
            /// # Ok(())
            /// # }
            /// ```
            #[must_use]
            pub fn check(&self) -> CheckId {
                match self {
                    $($error::$variant { .. } => CheckId::$check,)*
                    $($check_of => $other_check,)*
                }
            }

            /// The lines below the message: places in the user's source, then help. None where
            /// there are no such lines.
            #[must_use]
            pub fn trail(&self) -> Option<&Trail> {
                match self {
                    $($error::$variant { trail, .. } => Some(trail),)*
                    $($trail_of => $other_trail,)*
                }
            }
        }

    };
}

/// The id of the check, then the message: what `main` and `unwrap` show.
impl fmt::Debug for BufPoolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // It starts with its id.
            BufPoolError::Finding(finding) => fmt::Display::fmt(finding, f),
            _ => write!(f, "[{}] {self}", self.check()),
        }
    }
}

/// The same.
impl fmt::Debug for DataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}] {self}", self.check())
    }
}

checks_of! { BufPoolError:
    PipeLive => PipeLive,
    NotOnChip => NotOnChip,
    PipeDestroyed => PipeDestroyed,
    InsideInstruction => InsideInstruction,
    BadBlockCount => BadBlockCount,
    BadBlockIndex => BadBlockCount,
    BadLength => BadLength,
    TooManyBlocks => TooManyBlocks,
    MemoryFull => MemoryFull,
    NoRoute => NoRoute,
    PoolOverflow => PoolOverflow,
    PoolIdsExhausted => PoolIdsExhausted,
    WrongMemory => WrongMemory,
    SharedTooShort => SharedTooShort,
    PoolNotInitialised => PoolNotInitialised,
    HandleOutOfRange => HandleOutOfRange,
    OutsidePool => OutsidePool,
    ForeignHandle => ForeignHandle,
    RecordNeverInitialised => HandleNeverInitialised,
    DepthZeroInPool => DepthZeroInPool,
    Stale => StaleAfterReset,
    NoInitBuffer => NoInitBuffer,
    OtherPipe => OtherPipe,
    NoFreeBlock => NoFreeBlock,
    QueueFull => QueueFull,
    QueueEmpty => QueueEmpty,
    WrongQueue => WrongQueue,
    WrongState => WrongState,
    DoubleFree => DoubleFree,
    PositionsDiffer => PositionsDiffer,
    EnquePending => EnquePending,
    EventIdsExhausted => EventIdsExhausted,
    EventIdOutOfRange => EventIdOutOfRange,
    EventIdNotReserved => EventIdNotReserved,
    WaitNeverSet => UnmatchedWait,
    MixedFreeEvents => MixedFreeEvents,
    NoSuchPipe => NoSuchPipe,
    LockIdsExhausted => LockIdsExhausted,
    NoLockId => NoLockId,
    NoReset => NoReset,
    ViewMisaligned => ViewMisaligned,
    ViewOutOfBounds => ViewOutOfBounds,
    NoBlock => NoBlock,
    OutsideMemory => OutsideMemory,
    ; check:
    BufPoolError::Finding(finding) => finding.check,
    BufPoolError::Data(error) => error.check(),
    ; trail:
    BufPoolError::Finding(_) => None,
    BufPoolError::Data(error) => error.trail(),
}

checks_of! { DataError:
    CopyLength => CopyLength,
    NoPath => NoPath,
    NotInMemory => NotInMemory,
    ElementAlignment => ElementMisaligned,
    TooLong => TooLong,
    DifferentCores => DifferentCores,
    NoOperation => UnsupportedOperation,
    UnsupportedType => UnsupportedOperation,
    UnsupportedMode => UnsupportedOperation,
    OverwritesSource => OverwritesSource,
    PartialRepeat => PartialRepeat,
    CopyParameter => CopyParameter,
    GlobalOutOfBounds => GlobalOutOfBounds,
    ReversedRange => ReversedRange,
    GlobalTooLarge => GlobalTooLarge,
    NoOperand => NoOperand,
    ; check:
    DataError::Bug { .. } => CheckId::Bug,
    ; trail:
    DataError::Bug { .. } => None,
}

/// An error as a finding: for the text, JSON and SARIF of a report.
impl From<&BufPoolError> for Finding {
    fn from(error: &BufPoolError) -> Self {
        if let BufPoolError::Finding(finding) = error {
            return (**finding).clone();
        }
        let text = error.to_string();
        let message = text.lines().next().unwrap_or_default();
        let mut finding = Finding::new(error.check(), Severity::Error, message);
        for TrailLine { label, at, text } in error.trail().into_iter().flat_map(Trail::lines) {
            finding = match at {
                Some(at) if text.is_empty() => finding.at(*at, label.as_str()),
                Some(at) => finding.at(*at, format!("{label}: {text}")),
                None if label == TrailLine::HELP => finding.help(text.as_str()),
                None if label == TrailLine::NOTE => finding.note(text.as_str()),
                None => finding.note(format!("{label}: {text}")),
            };
        }
        finding
    }
}
