//! A buffer pool of one's own on real data: z = x + y over 32768 f16 elements.
//!
//! The pool manages 3 x 65536 bytes of UB at VECCALC with 16 block records. Its own code decides
//! where the blocks of a VECIN queue, a TBuf and a VECOUT queue go; the runtime moves the data,
//! and stops at whatever would hang or corrupt memory on the device.

mod kernel_data;

use bufpool_runtime::prelude::*;
use kernel_data::{compare, read_f16};

/// Elements of the whole addition; x, y and z take 65536 bytes each.
const COUNT: usize = 32768;
const BYTES: u32 = 65536;

/// The pool: the attribute adds its state, the accessors and the constants.
#[extern_impl_bufpool(position = VECCALC, bufid_size = 16)]
#[derive(Default)]
struct MyBufPool;

impl MyBufPool {
    /// `num` blocks of `len` bytes for a queue, each with a record of its own.
    fn init_queue<S: Position, D: Position, const N: usize>(
        &mut self,
        que: &mut TQueBind<S, D, N>,
        num: u8,
        len: u32,
    ) -> Result<()> {
        let len = align_up(len);
        let (first, addr) = (self.get_cur_buf_size(), self.get_cur_addr());
        que.init_start_buf_handle(self.get_buf_handle(first)?, num, len)?;
        for i in 0..num {
            let handle = self.get_buf_handle(first + i)?;
            que.init_buf_handle(self, i, handle, addr + u32::from(i) * len, len)?;
        }
        self.set_cur_addr(addr + u32::from(num) * len);
        self.set_cur_buf_size(first + num);
        Ok(())
    }

    /// One block of `len` bytes for a TBuf.
    fn init_tbuf<P: Position>(&mut self, buf: &mut TBuf<P>, len: u32) -> Result<()> {
        let len = align_up(len);
        let (first, addr) = (self.get_cur_buf_size(), self.get_cur_addr());
        let handle = self.get_buf_handle(first)?;
        buf.init_start_buf_handle(handle, 1, len)?;
        buf.init_buf_handle(self, 0, handle, addr, len)?;
        self.set_cur_addr(addr + len);
        self.set_cur_buf_size(first + 1);
        Ok(())
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let x_gm = GlobalTensor::from_vec(read_f16("x_f16.bin", COUNT)?);
    let y_gm = GlobalTensor::from_vec(read_f16("y_f16.bin", COUNT)?);
    let z_gm = GlobalTensor::<f16>::zeros(COUNT);

    let pipe = TPipe::new(Chip::AtlasA2)?;
    let mut pool = MyBufPool::default();
    let mut x_que = TQue::<VECIN, 1>::new().named("x");
    let mut y_buf = TBuf::<VECCALC>::new().named("y");
    let mut z_que = TQue::<VECOUT, 1>::new().named("z");

    pipe.init_buf_pool(&mut pool, 3 * BYTES)?;
    pool.init_queue(&mut x_que, 1, BYTES)?;
    pool.init_tbuf(&mut y_buf, BYTES)?;
    pool.init_queue(&mut z_que, 1, BYTES)?;
    println!("{}\n", pipe.ledger(Hardware::UB));

    let x = x_que.alloc_tensor::<f16>()?;
    let y = y_buf.get::<f16>()?;
    data_copy(&x, &x_gm)?;
    data_copy(&y, &y_gm)?;
    // The queue's flag orders all earlier work of MTE2, so y is there too once x is dequeued.
    x_que.enque(x)?;
    let x = x_que.deque::<f16>()?;
    let z = z_que.alloc_tensor::<f16>()?;
    add(&z, &x, &y, COUNT)?;
    x_que.free_tensor(x)?;
    z_que.enque(z)?;
    let z = z_que.deque::<f16>()?;
    data_copy(&z_gm, &z)?;
    z_que.free_tensor(z)?;
    pool.reset()?;

    println!("x: GM to UB on MTE2, through queue `x` ({COUNT} f16)");
    println!("y: GM to UB on MTE2, into TBuf `y`");
    println!("z = x + y on V, then UB to GM on MTE3, through queue `z`");
    compare(&z_gm.to_vec(), &read_f16("add_f16.bin", COUNT)?)?;
    println!("{COUNT} elements identical\n");
    println!(
        "next: cargo run --release --example pool_reuse         two pools over the same bytes"
    );
    println!("      cargo run --release --example pool_subdivision   a pool with children");
    println!("      README.md                                        write a pool of your own");
    Ok(())
}
