//! Where the model may refuse what the real layer lets pass: kinds, and the list of such steps.

use std::fmt;
use std::io;
use std::path::Path;

use bufpool_runtime::{BufPoolError, Hardware};

/// Kinds of refusals, numbered as in the description of the records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// 1: a record index past what the pool declares, or numbers that wrap.
    Numbers = 1,
    /// 2: a range outside the pool, or a pool without a range.
    OutsidePool,
    /// 3: used after the reset or end of its pipe or pool.
    Stale,
    /// 4: a view past the end or off 32 bytes, no memory, or a length of zero.
    View,
    /// 5: a record that was never written.
    Record,
    /// 6: an event id that is not reserved, or out of range.
    EventId,
    /// 7: a wait that no set can satisfy.
    Wait,
}

fn wraps(bytes: u64) -> bool {
    bytes > u64::from(u32::MAX)
}

impl Kind {
    /// The kind of an error; none if the model may not refuse for this reason.
    #[must_use]
    #[allow(clippy::match_same_arms, reason = "reasons apart, though of one kind")]
    pub fn of(error: &BufPoolError) -> Option<Kind> {
        use BufPoolError as E;
        match error {
            E::PoolIdsExhausted { .. } | E::HandleOutOfRange { .. } | E::BadBlockCount { .. } => {
                Some(Kind::Numbers)
            }
            // The layer counts bytes in 32 bits, and TSCM down from the top of L1: both wrap.
            E::MemoryFull { asked, .. } | E::PoolOverflow { asked, .. } if wraps(*asked) => {
                Some(Kind::Numbers)
            }
            E::MemoryFull { memory: Hardware::L1, asked, limit, .. } if asked > limit => {
                Some(Kind::Numbers)
            }
            // Blocks at addresses that the user gave.
            E::OutsideMemory { .. } => Some(Kind::Numbers),
            E::OutsidePool { .. } | E::PoolNotInitialised { .. } => Some(Kind::OutsidePool),
            // A child pool in another memory than its parent has no byte inside it.
            E::WrongMemory { what, .. } if what.starts_with("pool") => Some(Kind::OutsidePool),
            E::Stale { .. } | E::PipeDestroyed { .. } => Some(Kind::Stale),
            E::ViewOutOfBounds { .. }
            | E::ViewMisaligned { .. }
            | E::NoInitBuffer { .. }
            | E::BadLength { .. } => Some(Kind::View),
            // The layer binds the queue and never writes the ids that its records need.
            E::DepthZeroInPool { .. } | E::RecordNeverInitialised { .. } => Some(Kind::Record),
            E::EventIdNotReserved { .. } | E::EventIdOutOfRange { .. } => Some(Kind::EventId),
            E::WaitNeverSet { .. } | E::MixedFreeEvents { .. } | E::PositionsDiffer { .. } => {
                Some(Kind::Wait)
            }
            _ => None,
        }
    }

    /// The number of the kind.
    #[must_use]
    pub fn number(self) -> u8 {
        self as u8
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Kind::Numbers => "a record index past what the pool declares, or numbers that wrap",
            Kind::OutsidePool => "a range outside the pool, or a pool without a range",
            Kind::Stale => "used after the reset or end of its pipe or pool",
            Kind::View => "a view past its end or off 32 bytes, no memory, or a length of zero",
            Kind::Record => "a record that was never written",
            Kind::EventId => "an event id that is not reserved, or out of range",
            Kind::Wait => "a wait that no set can satisfy",
        };
        write!(f, "kind {}, {text}", self.number())
    }
}

/// The list of steps that the model refuses and the layer does not: a line each, file, trace, step,
/// kind, then the reason in words; `#` starts a comment.
#[derive(Debug, Default)]
pub struct Listed(Vec<(String, u8)>);

impl Listed {
    /// Reads the list.
    ///
    /// # Errors
    /// The file cannot be read, or a line has not the form above.
    pub fn read(path: &Path) -> io::Result<Self> {
        let text = std::fs::read_to_string(path)?;
        let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        lines
            .map(|line| {
                let mut words = line.split_whitespace();
                let mut word = || {
                    words.next().ok_or_else(|| io::Error::other(format!("not an entry: {line}")))
                };
                let entry = format!("{} {} {}", word()?, word()?, word()?);
                let kind = word()?.parse().map_err(io::Error::other)?;
                Ok((entry, kind))
            })
            .collect::<io::Result<_>>()
            .map(Listed)
    }

    /// Whether the model may refuse this step for a reason of this kind.
    #[must_use]
    pub fn has(&self, entry: &str, kind: Kind) -> bool {
        self.0.iter().any(|(listed, number)| listed == entry && *number == kind.number())
    }

    /// Entries that are not among `used`.
    #[must_use]
    pub fn without(&self, used: &[String]) -> Vec<String> {
        self.0
            .iter()
            .map(|(entry, _)| entry.clone())
            .filter(|entry| !used.contains(entry))
            .collect()
    }
}
