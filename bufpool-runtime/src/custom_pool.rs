//! The members that `#[extern_impl_bufpool(...)]` gives to a struct.
//!
//! They are made here and not in the attribute because they are the same for every pool: the
//! compiler copies them faster than the attribute could write them, and here they can be read.
//! Each method is one call of a function below, so that little is left to check for each pool.

use crate::error::Result;
use crate::model::block::TBufHandle;
use crate::pool::AnyPool;

/// `members! { pub, impl<T> Pool<T> where .. }`: the visibility of the members, and the head of
/// the block that they go into.
// A comment is one attribute, not one for each line: that is a good part of what a use costs.
// The parameters have long names because a constant of the user's could get in between: where one
// is called `index`, a parameter of that name would be compared with it.
#[doc(hidden)]
#[macro_export]
macro_rules! __bufpool_members {
    ($vis:vis, $($head:tt)*) => {
        $($head)* {
            /// Takes the pool back to nothing: start, cursor, length and block count become 0.
            #[doc(alias = "Init")]
            #[inline]
            #[track_caller]
            $vis fn init(&mut self) {
                $crate::__private::init(self);
            }

            #[doc = " Waits for the pending free events of the blocks in use, and empties the pool. Its queues and
 buffers cannot be used afterwards.

 # Errors

 When the device would hang or go wrong here; the error says who is in the way."]
            #[doc(alias = "Reset")]
            #[inline]
            #[track_caller]
            $vis fn reset(&mut self) -> $crate::Result<()> {
                $crate::__private::reset(self)
            }

            #[doc = " The handle of a block, counted from 0.

 # Errors

 When there is no such block: the pool has `BUFID_SIZE`."]
            #[doc(alias = "GetBufHandle")]
            #[inline]
            #[track_caller]
            $vis fn get_buf_handle(
                &self,
                block_index: ::core::primitive::u8,
            ) -> $crate::Result<$crate::TBufHandle> {
                $crate::__private::get_buf_handle(self, block_index)
            }

            #[doc = " Sets the cursor, the address at which the next block may start: bytes from the start of the
 memory, not of the pool."]
            #[doc(alias = "SetCurAddr")]
            #[inline]
            #[track_caller]
            $vis fn set_cur_addr(&mut self, addr_in_memory: ::core::primitive::u32) {
                $crate::__private::set_cur_addr(self, addr_in_memory);
            }

            #[doc = " The cursor, the address at which the next block may start: bytes from the start of the
 memory, not of the pool."]
            #[doc(alias = "GetCurAddr")]
            #[inline]
            #[must_use]
            $vis fn get_cur_addr(&self) -> ::core::primitive::u32 {
                $crate::__private::get_cur_addr(self)
            }

            /// Sets the number of blocks in use.
            #[doc(alias = "SetCurBufSize")]
            #[inline]
            #[track_caller]
            $vis fn set_cur_buf_size(&mut self, blocks_in_use: ::core::primitive::u8) {
                $crate::__private::set_cur_buf_size(self, blocks_in_use);
            }

            /// The number of blocks in use.
            #[doc(alias = "GetCurBufSize")]
            #[inline]
            #[must_use]
            $vis fn get_cur_buf_size(&self) -> ::core::primitive::u8 {
                $crate::__private::get_cur_buf_size(self)
            }
        }
    };
}

/// `Init` of any pool.
#[track_caller]
pub fn init<P: AnyPool>(pool: &mut P) {
    pool.__state_mut().init();
}

/// `Reset` of any pool.
///
/// # Errors
/// As `PoolState::reset`.
#[track_caller]
pub fn reset<P: AnyPool>(pool: &mut P) -> Result<()> {
    pool.__state_mut().reset()
}

/// `GetBufHandle` of any pool.
///
/// # Errors
/// As `PoolState::buf_handle`.
#[track_caller]
pub fn get_buf_handle<P: AnyPool>(pool: &P, index: u8) -> Result<TBufHandle> {
    pool.__state().buf_handle::<P>(index)
}

/// `SetCurAddr` of any pool.
#[track_caller]
pub fn set_cur_addr<P: AnyPool>(pool: &mut P, addr: u32) {
    pool.__state_mut().set_cur_addr(addr);
}

/// `GetCurAddr` of any pool.
#[must_use]
pub fn get_cur_addr<P: AnyPool>(pool: &P) -> u32 {
    pool.__state().cur_addr()
}

/// `SetCurBufSize` of any pool.
#[track_caller]
pub fn set_cur_buf_size<P: AnyPool>(pool: &mut P, blocks: u8) {
    pool.__state_mut().set_cur_buf_size(blocks);
}

/// `GetCurBufSize` of any pool.
#[must_use]
pub fn get_cur_buf_size<P: AnyPool>(pool: &P) -> u8 {
    pool.__state().cur_buf_size()
}
