#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

// Generated code names the runtime by its crate name, inside this crate as elsewhere.
extern crate self as bufpool_runtime;

mod aligned;
mod check;
mod chip;
mod custom_pool;
mod error;
mod error_check;
mod error_data;
mod event;
mod global;
pub mod inspect;
mod launch;
mod ledger;
mod link;
pub mod matrix;
mod model;
pub mod ops;
mod options;
mod pipe;
mod place;
mod pool;
pub mod position;
mod queue;
pub mod report;
mod sharing;
mod spm;
mod tbuf;
mod tensor;
mod trace;
mod trail;

pub use chip::{Chip, ChipSpec, CoreKind};
pub use error::{BufPoolError, Result, Trail};
pub use error_data::DataError;
pub use event::{EventId, HardEvent, Pipe};
pub use global::{GlobalTensor, GlobalView};
pub use launch::{CoreFailure, Launch, LaunchCore, LaunchError, launch};
pub use ledger::{Ledger, LedgerRow};
pub use matrix::{ChipMatrix, ChipRow, on_chips, on_every_chip};
pub use model::alloc::align_up;
pub use model::block::{BlockState, TBufHandle};
pub use options::{Checks, OnFinding};
pub use pipe::{TPipe, TPipeBuilder};
pub use place::Place;
pub use pool::{AnyPool, BufPool, TBufPool};
pub use position::{
    Hardware, InPool, PoolEnd, PoolPosition, Position, QueuePosition, TPosition, UserPosition,
};
pub use queue::{Depth, Enqueued, InPlace, Queued, TQue, TQueBind, TSCMQue};
pub use report::{CheckId, Finding, Report, Severity};
pub use sharing::{Buffer, declare_sharing};
pub use tbuf::TBuf;
pub use tensor::{LocalTensor, Tensor, TensorView};
pub use trace::TraceEvent;

#[cfg(feature = "macros")]
pub use bufpool_macros::{EXTERN_IMPL_BUFPOOL, extern_impl_bufpool};

/// Everything that a kernel needs: `use bufpool_runtime::prelude::*;`.
pub mod prelude {
    pub use crate::ops::*;
    pub use crate::position::*;
    pub use crate::{
        AnyPool, BlockState, BufPool, BufPoolError, Checks, Chip, CoreKind, Enqueued, EventId,
        GlobalTensor, GlobalView, HardEvent, LocalTensor, OnFinding, Pipe, Report, Result, TBuf,
        TBufHandle, TBufPool, TPipe, TQue, TQueBind, TSCMQue, Tensor, TensorView, align_up,
    };
    #[cfg(feature = "macros")]
    pub use crate::{EXTERN_IMPL_BUFPOOL, extern_impl_bufpool};
}

/// For generated code only.
#[doc(hidden)]
pub mod __private {
    pub use crate::__bufpool_members as members;
    pub use crate::custom_pool::{
        get_buf_handle, get_cur_addr, get_cur_buf_size, init, reset, set_cur_addr, set_cur_buf_size,
    };
    pub use crate::pool::{AnyPool, PoolState, blocks};
    pub use crate::position::{A1, B1, C1, VECCALC, VECIN, VECOUT};
}
