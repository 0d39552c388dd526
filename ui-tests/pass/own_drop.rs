// The user can have a `Drop` of their own: the macro writes none.
#![deny(warnings)]

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = 16)]
#[derive(Default)]
struct MyBufPool {
    dropped: std::rc::Rc<std::cell::Cell<bool>>,
}

impl Drop for MyBufPool {
    fn drop(&mut self) {
        self.dropped.set(true);
    }
}

fn main() -> Result<()> {
    let pipe = TPipe::new(Chip::AtlasA2)?;
    let mut pool = MyBufPool::default();
    let dropped = pool.dropped.clone();
    pipe.init_buf_pool(&mut pool, 32)?;
    drop(pool);
    assert!(dropped.get());
    Ok(())
}
