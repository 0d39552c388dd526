// Structs made by `macro_rules!`, with arguments captured as every kind of fragment.
#![deny(warnings)]

use bufpool_runtime::prelude::*;

const FOUR: usize = 4;

macro_rules! idents {
    ($(#[$attr:meta])* $vis:vis struct $name:ident at $position:ident with $size:ident) => {
        #[extern_impl_bufpool(position = $position, bufid_size = $size)]
        $(#[$attr])*
        $vis struct $name;
    };
}

macro_rules! literal {
    ($name:ident, $position:path, $size:literal) => {
        #[extern_impl_bufpool(position = $position, bufid_size = $size)]
        struct $name;
    };
}

macro_rules! expression {
    ($name:ident, $position:ty, $size:expr) => {
        #[extern_impl_bufpool(position = $position, bufid_size = $size)]
        struct $name;
    };
}

macro_rules! item {
    ($item:item) => {
        #[extern_impl_bufpool(position = VECIN, bufid_size = 4)]
        $item
    };
}

macro_rules! fields {
    ($name:ident { $($field:ident: $ty:ty),* } state $state:ident) => {
        #[extern_impl_bufpool(position = VECIN, bufid_size = 4, state = $state)]
        struct $name { $($field: $ty),* }
    };
}

macro_rules! metas {
    ($name:ident $($meta:meta),*) => {
        #[extern_impl_bufpool($($meta),*)]
        struct $name;
    };
}

macro_rules! no_names {
    ($($position:tt)*) => {
        #[extern_impl_bufpool($($position)*)]
        struct Passed;
    };
}

idents!(#[derive(Default)] pub(crate) struct Idents at VECCALC with FOUR);
literal!(Literal, TPosition::A1, 4);
expression!(Expression, VECOUT, 2 * 2);
expression!(Parentheses, VECOUT, (2 + 2));
expression!(Constant, VECOUT, FOUR);
item! {
    #[derive(Debug)]
    struct Item;
}
fields!(Fields { tiles: u8, len: Option<u32> } state inner);
metas!(Metas position = VECCALC, bufid_size = 4);
no_names!(position = VECIN, bufid_size = 4);

fn main() {
    let sizes = [
        Idents::BUFID_SIZE,
        Literal::BUFID_SIZE,
        Expression::BUFID_SIZE,
        Constant::BUFID_SIZE,
        Item::BUFID_SIZE,
        Fields::BUFID_SIZE,
        Passed::BUFID_SIZE,
        Parentheses::BUFID_SIZE,
        Metas::BUFID_SIZE,
    ];
    assert_eq!(sizes, [4; 9]);
    assert_eq!(Literal::POSITION, TPosition::A1);
    assert_eq!(Idents::default().get_cur_addr(), 0);
    let fields = Fields { tiles: 1, len: None, inner: Default::default() };
    assert_eq!((fields.tiles, fields.len), (1, None));
}
