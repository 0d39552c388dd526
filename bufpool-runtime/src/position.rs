//! Logical positions ([`TPosition`]) and the physical memories behind them ([`Hardware`]).
//!
//! A position exists twice: as a value for tables (`TPosition::VECIN`) and as a type for
//! signatures (`TQue<VECIN, 1>`), so that a wrong use fails to compile.

use std::fmt;

macro_rules! positions {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {
        /// Where a tensor stands in the flow of a kernel (`AscendC::TPosition`).
        ///
        /// ```
        /// use bufpool_runtime::prelude::*;
        /// assert_eq!(VECIN::POSITION, TPosition::VECIN);
        /// assert_eq!(TPosition::LCM, TPosition::VECCALC);
        /// assert_eq!(Chip::AtlasA2.spec().hardware(TPosition::C1), Hardware::L1);
        /// ```
        #[doc(alias = "QuePosition")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[allow(clippy::upper_case_acronyms, reason = "the vendor's names")]
        pub enum TPosition {
            $($(#[$doc])* $name),*
        }

        impl TPosition {
            /// All positions, in the vendor's order.
            pub const ALL: &[TPosition] = &[$(TPosition::$name),*];

            /// The name as the vendor writes it.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(TPosition::$name => stringify!($name)),* }
            }
        }

        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
            #[allow(clippy::upper_case_acronyms, reason = "the vendor's names")]
            pub struct $name;

            impl sealed::Sealed for $name {}
            impl Position for $name {
                const POSITION: TPosition = TPosition::$name;
            }
        )*
    };
}

mod sealed {
    pub trait Sealed {}
}

positions! {
    /// Global memory, outside the core.
    GM,
    /// Left matrix in L1.
    A1,
    /// Left matrix in L0A.
    A2,
    /// Right matrix in L1.
    B1,
    /// Right matrix in L0B.
    B2,
    /// Bias in L1 (in UB on Atlas inference AI Core and Atlas training).
    C1,
    /// Bias in the bias table (in L0C on Atlas inference AI Core and Atlas training).
    C2,
    /// Result of the cube in L0C.
    CO1,
    /// Result of the cube on its way out: GM, or UB on the chips that copy it there.
    CO2,
    /// Input of vector work in UB.
    VECIN,
    /// Output of vector work in UB.
    VECOUT,
    /// Scratch of vector work in UB (alias LCM).
    VECCALC,
    /// Spill memory (alias SHM).
    SPM,
    /// Shared L1 memory between cube and vector, handed out from the top of L1.
    TSCM,
    /// Parameters of the fix pipe.
    C2PIPE2GM,
    /// Parameters of the fix pipe towards local memory.
    C2PIPE2LOCAL,
}

impl TPosition {
    /// Another name of [`TPosition::VECCALC`].
    pub const LCM: TPosition = TPosition::VECCALC;
    /// Another name of [`TPosition::SPM`].
    pub const SHM: TPosition = TPosition::SPM;
}

impl fmt::Display for TPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A physical memory (`AscendC::Hardware`).
///
/// ```
/// use bufpool_runtime::prelude::*;
/// assert_eq!(Hardware::UB.alignment(), 32);
/// assert_eq!(Chip::AtlasA2.spec().capacity(Hardware::UB), 196_608);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(clippy::upper_case_acronyms, reason = "the vendor's names")]
pub enum Hardware {
    /// Global memory.
    GM,
    /// Unified buffer, the memory of the vector unit.
    UB,
    /// The staging memory of the cube.
    L1,
    /// Left operand of the cube.
    L0A,
    /// Right operand of the cube.
    L0B,
    /// Accumulator of the cube.
    L0C,
    /// Bias table (`BIAS` in the vendor's enum).
    BT,
    /// Parameter buffer of the fix pipe.
    FIXBUF,
}

impl Hardware {
    /// Number of memories, GM included.
    pub const COUNT: usize = 8;
    /// All memories.
    pub const ALL: [Hardware; Self::COUNT] = [
        Hardware::GM,
        Hardware::UB,
        Hardware::L1,
        Hardware::L0A,
        Hardware::L0B,
        Hardware::L0C,
        Hardware::BT,
        Hardware::FIXBUF,
    ];

    /// The name as the documents write it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Hardware::GM => "GM",
            Hardware::UB => "UB",
            Hardware::L1 => "L1",
            Hardware::L0A => "L0A",
            Hardware::L0B => "L0B",
            Hardware::L0C => "L0C",
            Hardware::BT => "BT",
            Hardware::FIXBUF => "FIXBUF",
        }
    }

    /// Alignment of addresses that instructions ask for, in bytes (1 for GM: none).
    #[must_use]
    pub const fn alignment(self) -> u32 {
        match self {
            Hardware::GM => 1,
            Hardware::UB | Hardware::L1 => 32,
            Hardware::L0A | Hardware::L0B => 512,
            Hardware::L0C | Hardware::BT | Hardware::FIXBUF => 64,
        }
    }
}

impl fmt::Display for Hardware {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A position as a type. Implemented by the marker of each [`TPosition`].
///
/// ```
/// use bufpool_runtime::prelude::*;
/// fn name<P: Position>() -> &'static str {
///     P::POSITION.name()
/// }
/// assert_eq!(name::<VECOUT>(), "VECOUT");
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a position",
    label = "not a position",
    note = "the positions are GM, A1, A2, B1, B2, C1, C2, CO1, CO2, VECIN, VECOUT, VECCALC, SPM, TSCM, C2PIPE2GM, C2PIPE2LOCAL"
)]
pub trait Position: sealed::Sealed + Copy + 'static {
    /// The same position as a value.
    const POSITION: TPosition;
}

/// A position that a buffer pool can manage: UB (VECIN, VECOUT, VECCALC) or L1 (A1, B1, C1).
///
/// ```
/// use bufpool_runtime::prelude::*;
/// fn pool_at<P: PoolPosition>() -> TBufPool<P> {
///     TBufPool::new()
/// }
/// let pool = pool_at::<A1>();
/// ```
#[diagnostic::on_unimplemented(
    message = "a buffer pool cannot live at `{Self}`",
    label = "not a position of a pool",
    note = "a pool manages UB (VECIN, VECOUT, VECCALC) or L1 (A1, B1, C1)"
)]
pub trait PoolPosition: Position {}

impl PoolPosition for VECIN {}
impl PoolPosition for VECOUT {}
impl PoolPosition for VECCALC {}
impl PoolPosition for A1 {}
impl PoolPosition for B1 {}
impl PoolPosition for C1 {}

/// A position in UB or L1 on some chip, where a TBuf of a pool can be.
///
/// ```
/// use bufpool_runtime::prelude::*;
/// fn scratch<P: InPool>(pool: &TBufPool<VECCALC>, buf: &mut TBuf<P>) -> Result<()> {
///     pool.init_tbuf(buf, 256)
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "a TBuf at `{Self}` cannot come from a pool",
    label = "not in UB or L1 on any chip",
    note = "a pool manages UB or L1; the pipe has the other memories: `pipe.init_tbuf(&mut buf, len)`",
    note = "if `{Self}` is a type parameter, it needs the bound `{Self}: InPool`"
)]
pub trait InPool: Position {}

/// The end of a route from `SRC` whose queue can come from a pool: its blocks are in UB or L1 on
/// some chip.
///
/// ```
/// use bufpool_runtime::prelude::*;
/// /// A queue of two blocks, whatever its route.
/// fn double<S: Position, D: PoolEnd<S>, const N: usize>(
///     pool: &TBufPool<VECCALC>,
///     que: &mut TQueBind<S, D, N>,
/// ) -> Result<()> {
///     pool.init_buffer(que, 2, 1024)
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "a queue from `{SRC}` to `{Self}` cannot come from a pool",
    label = "its blocks are not in UB or L1 on any chip",
    note = "a pool manages UB or L1; the pipe has the other memories: `pipe.init_buffer(&mut que, num, len)`",
    note = "if `{Self}` is a type parameter, it needs the bound `{Self}: PoolEnd<{SRC}>`"
)]
pub trait PoolEnd<SRC: Position>: Position {}

macro_rules! in_pool {
    ($($name:ident)*) => {
        $(
            impl InPool for $name {}
            impl<SRC: Position> PoolEnd<SRC> for $name {}
        )*
    };
}

in_pool!(A1 B1 C1 VECIN VECOUT VECCALC SPM TSCM C2PIPE2GM C2PIPE2LOCAL);
impl InPool for CO2 {}

// The blocks of a queue that leaves the core are where it comes from.
impl<SRC: InPool> PoolEnd<SRC> for GM {}

macro_rules! to_co2 {
    ($($name:ident)*) => { $(impl PoolEnd<$name> for CO2 {})* };
}

// CO2 is in UB on some chips, but the blocks between CO1 and CO2 are at CO1 on all of them.
to_co2!(GM A1 A2 B1 B2 C1 C2 CO2 VECIN VECOUT VECCALC SPM TSCM C2PIPE2GM C2PIPE2LOCAL);

/// A position that `TQue` can be built on, with the two ends of its route.
///
/// ```
/// use bufpool_runtime::prelude::*;
/// fn source<P: QueuePosition>() -> TPosition {
///     P::Src::POSITION
/// }
/// assert_eq!((source::<VECIN>(), source::<A2>()), (TPosition::GM, TPosition::A1));
/// ```
#[diagnostic::on_unimplemented(
    message = "there is no queue at `{Self}`",
    label = "no route ends here",
    note = "TQue takes A1, A2, B1, B2, C1, C2, CO1, CO2, VECIN, VECOUT, SPM or C2PIPE2GM; for other routes use TQueBind<SRC, DST, DEPTH>",
    note = "a buffer at VECCALC, scratch that is not queued, is a `TBuf<VECCALC>`"
)]
pub trait QueuePosition: Position {
    /// Where the data comes from.
    type Src: Position;
    /// Where the data goes.
    type Dst: Position;
}

macro_rules! routes {
    ($($pos:ident: $src:ident => $dst:ident;)*) => {
        $(impl QueuePosition for $pos { type Src = $src; type Dst = $dst; })*
    };
}

routes! {
    A1: GM => A1;
    B1: GM => B1;
    C1: GM => C1;
    VECIN: GM => VECIN;
    A2: A1 => A2;
    B2: B1 => B2;
    C2: C1 => C2;
    CO1: CO1 => CO2;
    CO2: CO2 => GM;
    VECOUT: VECOUT => GM;
    SPM: VECOUT => GM;
    C2PIPE2GM: B1 => C2PIPE2GM;
}

/// A position that `enque_at` and `deque_at` accept: GM, VECIN, VECOUT or VECCALC.
///
/// ```
/// use bufpool_runtime::prelude::*;
/// # fn main() -> Result<()> {
/// let pipe = TPipe::new(Chip::AtlasA2)?;
/// let mut que = TQueBind::<GM, VECIN, 1>::new();
/// pipe.init_buffer(&mut que, 1, 64)?;
/// let x = que.alloc_tensor::<f32>()?;
/// que.enque_at::<VECIN, VECOUT, _>(x)?; // set by MTE2, waited for by MTE3
/// let x = que.deque_at::<VECIN, VECOUT, f32>()?;
/// que.free_tensor(x)?;
/// # Ok(())
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be named when a tensor is enqueued",
    label = "not a user position",
    note = "EnQue and DeQue with positions take GM, VECIN, VECOUT or VECCALC"
)]
pub trait UserPosition: Position {}

impl UserPosition for GM {}
impl UserPosition for VECIN {}
impl UserPosition for VECOUT {}
impl UserPosition for VECCALC {}
