// Lifetimes, type parameters, const parameters, defaults and where clauses are kept.
#![deny(warnings)]

use bufpool_runtime::prelude::*;

trait Tiled {
    const LEN: u32;
}

impl Tiled for u16 {
    const LEN: u32 = 32;
}

#[extern_impl_bufpool(position = VECCALC, bufid_size = 8)]
struct Tiles<'a, 'b: 'a, T: Tiled + 'a = u16, const N: usize = 2>
where
    T: Copy,
    [T; N]: Default,
{
    names: [&'a str; N],
    first: Option<&'b T>,
}

impl<'a, 'b, T: Tiled + Copy, const N: usize> Tiles<'a, 'b, T, N>
where
    [T; N]: Default,
{
    fn advance(&mut self) -> u32 {
        self.set_cur_addr(self.get_cur_addr() + T::LEN);
        self.set_cur_buf_size(self.get_cur_buf_size() + 1);
        self.get_cur_addr()
    }
}

fn main() -> Result<()> {
    let pipe = TPipe::new(Chip::AtlasA2)?;
    let mut tiles: Tiles = Tiles { names: ["a", "b"], first: Some(&3), bufpool: Default::default() };
    pipe.init_buf_pool(&mut tiles, 1024)?;
    assert_eq!(tiles.advance(), 32);
    assert_eq!((tiles.names[1], tiles.first), ("b", Some(&3)));
    assert_eq!(Tiles::<'_, '_, u16, 5>::BUFID_SIZE, 8);
    Ok(())
}
