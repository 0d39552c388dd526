//! Pipes, the events between them, and the ids that tell flags of one event apart.

use std::fmt;

/// An instruction pipe of the core (`pipe_t`).
///
/// ```
/// use bufpool_runtime::prelude::*;
/// assert_eq!(Pipe::MTE2.to_string(), "MTE2");
/// assert!(!Chip::AtlasTraining.spec().has_pipe(CoreKind::AIV, Pipe::FIX));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Pipe {
    /// Scalar unit.
    S,
    /// Vector unit, works on UB.
    V,
    /// Cube unit, works on L0A, L0B, L0C.
    M,
    /// Moves L1 to L0A, L0B, BT (and to UB where the chip can).
    MTE1,
    /// Moves GM to UB or L1.
    MTE2,
    /// Moves UB to GM (and to L1 where the chip can).
    MTE3,
    /// Moves L0C to GM (not on Atlas inference AI Core and Atlas training).
    FIX,
}

impl Pipe {
    /// Number of pipes.
    pub const COUNT: usize = 7;
    /// All pipes.
    pub const ALL: [Pipe; Self::COUNT] =
        [Pipe::S, Pipe::V, Pipe::M, Pipe::MTE1, Pipe::MTE2, Pipe::MTE3, Pipe::FIX];

    /// The name as the vendor writes it after `PIPE_`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Pipe::S => "S",
            Pipe::V => "V",
            Pipe::M => "M",
            Pipe::MTE1 => "MTE1",
            Pipe::MTE2 => "MTE2",
            Pipe::MTE3 => "MTE3",
            Pipe::FIX => "FIX",
        }
    }
}

impl fmt::Display for Pipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// An id that tells flags of one [`HardEvent`] apart (`TEventID`): 0..8, or 0..4 on Atlas training.
///
/// ```
/// use bufpool_runtime::prelude::*;
/// # fn main() -> Result<()> {
/// let pipe = TPipe::new(Chip::AtlasA2)?;
/// let id: EventId = pipe.alloc_event_id(HardEvent::MTE2_V)?;
/// pipe.set_flag(HardEvent::MTE2_V, id)?;
/// pipe.wait_flag(HardEvent::MTE2_V, id)?;
/// pipe.release_event_id(HardEvent::MTE2_V, id)?;
/// # Ok(())
/// # }
/// ```
#[doc(alias = "TEventID")]
pub type EventId = u8;

macro_rules! events {
    ($($name:ident: $src:ident => $dst:ident;)*) => {
        /// An ordered pair of pipes (`AscendC::HardEvent`): a flag of it is set by the first
        /// and waited for by the second.
        ///
        /// ```
        /// use bufpool_runtime::prelude::*;
        /// let event = HardEvent::MTE2_V;
        /// assert_eq!((event.src(), event.dst()), (Pipe::MTE2, Pipe::V));
        /// assert_eq!(HardEvent::between(Pipe::V, Pipe::MTE3), Some(HardEvent::V_MTE3));
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[allow(non_camel_case_types, reason = "the vendor's names")]
        pub enum HardEvent {
            $(#[doc = concat!("Set by ", stringify!($src), ", waited for by ", stringify!($dst), ".")] $name),*
        }

        impl HardEvent {
            /// All events, in the vendor's order.
            pub const ALL: &[HardEvent] = &[$(HardEvent::$name),*];
            /// Number of events.
            pub const COUNT: usize = Self::ALL.len();

            /// The name as the vendor writes it.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(HardEvent::$name => stringify!($name)),* }
            }

            /// The pipe that sets the flag.
            #[must_use]
            pub const fn src(self) -> Pipe {
                match self { $(HardEvent::$name => Pipe::$src),* }
            }

            /// The pipe that waits for the flag.
            #[must_use]
            pub const fn dst(self) -> Pipe {
                match self { $(HardEvent::$name => Pipe::$dst),* }
            }

            /// The event from `src` to `dst`, if the hardware has one.
            #[must_use]
            pub fn between(src: Pipe, dst: Pipe) -> Option<HardEvent> {
                Self::ALL.iter().copied().find(|e| e.src() == src && e.dst() == dst)
            }
        }
    };
}

events! {
    MTE2_MTE1: MTE2 => MTE1;
    MTE1_MTE2: MTE1 => MTE2;
    MTE1_M: MTE1 => M;
    M_MTE1: M => MTE1;
    MTE2_V: MTE2 => V;
    V_MTE2: V => MTE2;
    MTE3_V: MTE3 => V;
    V_MTE3: V => MTE3;
    M_V: M => V;
    V_M: V => M;
    V_V: V => V;
    MTE3_MTE1: MTE3 => MTE1;
    MTE1_MTE3: MTE1 => MTE3;
    MTE1_V: MTE1 => V;
    MTE2_M: MTE2 => M;
    M_MTE2: M => MTE2;
    V_MTE1: V => MTE1;
    M_FIX: M => FIX;
    FIX_M: FIX => M;
    MTE3_MTE2: MTE3 => MTE2;
    MTE2_MTE3: MTE2 => MTE3;
    S_V: S => V;
    V_S: V => S;
    S_MTE2: S => MTE2;
    MTE2_S: MTE2 => S;
    S_MTE3: S => MTE3;
    MTE3_S: MTE3 => S;
    MTE2_FIX: MTE2 => FIX;
    FIX_MTE2: FIX => MTE2;
    FIX_S: FIX => S;
    M_S: M => S;
    FIX_MTE3: FIX => MTE3;
    MTE1_FIX: MTE1 => FIX;
    FIX_MTE1: FIX => MTE1;
    FIX_FIX: FIX => FIX;
}

impl fmt::Display for HardEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
