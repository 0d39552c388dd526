// The position as a type parameter, whether a field mentions it or not.
#![deny(warnings)]

use std::marker::PhantomData;

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = P, bufid_size = 8)]
struct At<P: PoolPosition>;

#[extern_impl_bufpool(position = P, bufid_size = 8)]
#[derive(Debug, Default)]
struct Marked<P>
where
    P: PoolPosition,
{
    mark: PhantomData<P>,
}

/// With the names of parameters that the output has as well.
#[extern_impl_bufpool(position = B, bufid_size = 8)]
struct Named<B: PoolPosition, Self_ = u8> {
    own: Self_,
}

fn position<P: PoolPosition>(pool: &At<P>) -> (TPosition, u32) {
    (At::<P>::POSITION, pool.get_cur_addr())
}

fn main() -> Result<()> {
    let pipe = TPipe::new(Chip::AtlasA2)?;
    let (mut ub, mut l1) = (At::<VECIN>::default(), At::<B1>::default());
    pipe.init_buf_pool(&mut ub, 1024)?;
    pipe.init_buf_pool(&mut l1, 1024)?;
    assert_eq!(position(&ub).0, TPosition::VECIN);
    assert_eq!(position(&l1).0, TPosition::B1);
    assert_eq!(Marked::<C1>::POSITION, TPosition::C1);
    let marked: Marked<A1> = Marked { mark: PhantomData, bufpool: Default::default() };
    assert!(format!("{marked:?}").starts_with("Marked"));
    assert_eq!(Marked::<A1>::default().mark, PhantomData);
    let named = Named::<B1, u8> { own: 3, bufpool: Default::default() };
    assert_eq!((named.own, Named::<B1>::POSITION), (3, TPosition::B1));
    Ok(())
}
