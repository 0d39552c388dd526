// A struct with fields of its own: struct literals name the state, and fields can be moved out.
#![deny(warnings)]

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = A1, bufid_size = 4)]
struct Tiles {
    names: Vec<String>,
    pub len: u32,
}

fn main() {
    let tiles = Tiles { names: vec!["a".to_owned()], len: 32, bufpool: Default::default() };
    let Tiles { names, len, .. } = tiles;
    assert_eq!((names.len(), len), (1, 32));
    let tiles = Tiles { names, len, bufpool: Default::default() };
    let moved = tiles.names;
    assert_eq!(moved, ["a"]);
}
