//! The constants and methods that the struct gets, with their documentation.

use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, quote};

use crate::expand::Parts;
use crate::model::{Position, Size};
use crate::tokens::Tokens;

pub(crate) fn constants(parts: &Parts) -> TokenStream {
    let Parts { item, runtime: rt, .. } = *parts;
    let vis = &item.vis;
    let (position, position_doc) = match parts.position {
        Position::Fixed(name) => {
            let memory = match name.to_string().as_str() {
                "A1" | "B1" => "L1",
                "C1" => "L1, or UB on the chips that have C1 there",
                _ => "UB",
            };
            (
                quote!(#rt::TPosition::#name),
                format!(" The position of the pool, {name}: it manages {memory}."),
            )
        }
        Position::Param(param) => (
            // By way of any pool: the compiler then asks for the bound of the parameter once.
            quote! {{
                const fn of<B: #rt::BufPool>() -> #rt::TPosition {
                    <<B as #rt::BufPool>::Pos as #rt::Position>::POSITION
                }
                of::<Self>()
            }},
            format!(" The position of the pool, which is that of `{param}`."),
        ),
    };
    let size = match parts.size {
        Size::Literal(blocks, _) => Literal::u8_unsuffixed(*blocks).into_token_stream(),
        Size::Constant(_) => quote!(<Self as #rt::BufPool>::BUFID_SIZE),
    };
    quote! {
        #[doc = #position_doc]
        #vis const POSITION: #rt::TPosition = #position;
        #[doc = " The number of blocks that the pool has at most."]
        #vis const BUFID_SIZE: ::core::primitive::u8 = #size;
    }
}

pub(crate) fn methods(parts: &Parts) -> TokenStream {
    let rt = parts.runtime;
    let vis = &parts.item.vis;
    // A method of the state itself, and no other: of what a reference can be called with, the
    // compiler takes the type's own methods first. By path would be as sure, but costs more.
    let [state, state_mut] = match parts.state {
        Some(state) => [quote!((&self.#state)), quote!((&mut self.#state))],
        None => [quote!(#rt::BufPool::__state(self)), quote!(#rt::BufPool::__state_mut(self))],
    };
    let [state, state_mut] = [state, state_mut].map(Tokens::from);
    // One attribute for each comment, not one for each line: that is a good part of what a use
    // costs to compile.
    quote! {
        #[doc = " Takes the pool back to nothing: start, cursor, length and block count become 0."]
        #[doc(alias = "Init")]
        #[inline]
        #[track_caller]
        #vis fn init(&mut self) {
            #state_mut.init();
        }

        #[doc = #RESET]
        #[doc(alias = "Reset")]
        #[inline]
        #[track_caller]
        #vis fn reset(&mut self) -> #rt::Result<()> {
            #state_mut.reset()
        }

        #[doc = #GET_BUF_HANDLE]
        #[doc(alias = "GetBufHandle")]
        #[inline]
        #[track_caller]
        #vis fn get_buf_handle(&self, index: ::core::primitive::u8) -> #rt::Result<#rt::TBufHandle> {
            #state.buf_handle::<Self>(index)
        }

        #[doc = #SET_CUR_ADDR]
        #[doc(alias = "SetCurAddr")]
        #[inline]
        #[track_caller]
        #vis fn set_cur_addr(&mut self, addr: ::core::primitive::u32) {
            #state_mut.set_cur_addr(addr);
        }

        #[doc = #GET_CUR_ADDR]
        #[doc(alias = "GetCurAddr")]
        #[inline]
        #[must_use]
        #[track_caller]
        #vis fn get_cur_addr(&self) -> ::core::primitive::u32 {
            #state.cur_addr()
        }

        #[doc = " Sets the number of blocks in use."]
        #[doc(alias = "SetCurBufSize")]
        #[inline]
        #[track_caller]
        #vis fn set_cur_buf_size(&mut self, count: ::core::primitive::u8) {
            #state_mut.set_cur_buf_size(count);
        }

        #[doc = " The number of blocks in use."]
        #[doc(alias = "GetCurBufSize")]
        #[inline]
        #[must_use]
        #[track_caller]
        #vis fn get_cur_buf_size(&self) -> ::core::primitive::u8 {
            #state.cur_buf_size()
        }
    }
}

const RESET: &str =
    " Waits for the pending free events of the blocks in use, and empties the pool. Its queues and
 buffers cannot be used afterwards.

 # Errors

 When the device would hang or go wrong here; the error says who is in the way.";

const GET_BUF_HANDLE: &str = " The handle of block `index`, counted from 0.

 # Errors

 When `index` is not less than `BUFID_SIZE`.";

const SET_CUR_ADDR: &str =
    " Sets the cursor, the address at which the next block may start: bytes from the start of the
 memory, not of the pool.";

const GET_CUR_ADDR: &str =
    " The cursor, the address at which the next block may start: bytes from the start of the
 memory, not of the pool.";
