//! One kernel on every chip: which products it fits, and where it would do something else.
//!
//! ```text
//! cargo run --example every_chip
//! ```
//!
//! Four kernels, each a story. The first, the custom pool of the main example, is the same on all
//! products that have pools. The others look as harmless, and are not portable.

use bufpool_runtime::matrix::ChipMatrix;
use bufpool_runtime::on_every_chip;
use bufpool_runtime::prelude::*;

const LEN: usize = 512;
const BYTES: u32 = 1024;

fn main() {
    show(
        "A custom pool: z = x + y with two queues and a TBuf, carved by the kernel's own code",
        "The same everywhere: its addresses, its results and what it takes of each memory.",
        &on_every_chip(custom_pool),
    );
    show(
        "The same pool, reset and carved again for a second half of the work",
        "On Ascend950 a reset keeps the pool's range; elsewhere it is empty, and init_buf_pool must come again.",
        &on_every_chip(carved_again),
    );
    show(
        "Six VECIN queues, freed one after the other before any is used again",
        "A freed block keeps its event id until it is allocated again: six of eight ids, but only four on\nAtlasTraining. Ascend950 has a lock id for each block instead.",
        &on_every_chip(six_queues),
    );
    show(
        "A bias at C1",
        "C1 is in L1 where a chip has a bias table, and in UB on the older ones: there it takes from the vector queues.",
        &on_every_chip(bias_at_c1),
    );
}

fn show(kernel: &str, story: &str, matrix: &ChipMatrix) {
    println!("{kernel}\n\n{matrix}\n{story}\n\n{}\n", "-".repeat(100));
}

#[extern_impl_bufpool(position = VECCALC, bufid_size = 16)]
#[derive(Default)]
struct MyBufPool;

impl MyBufPool {
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
            que.init_buf_handle(
                self,
                i,
                self.get_buf_handle(first + i)?,
                addr + u32::from(i) * len,
                len,
            )?;
        }
        self.set_cur_addr(addr + u32::from(num) * len);
        self.set_cur_buf_size(first + num);
        Ok(())
    }

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

fn pipe(chip: Chip) -> Result<TPipe> {
    TPipe::builder(chip).checks(Checks::Full).build()
}

fn numbers(first: f32) -> GlobalTensor<f16> {
    GlobalTensor::from_vec((0_u16..512).map(|i| f16::from_f32(first + f32::from(i))).collect())
}

fn custom_pool(chip: Chip) -> Result<Vec<f16>> {
    let pipe = pipe(chip)?;
    let mut pool = MyBufPool::default();
    pipe.init_buf_pool(&mut pool, 8 * BYTES)?;
    let sum = add(&pipe, &mut pool, &numbers(1.0), &numbers(0.5))?;
    pool.reset()?;
    Ok(sum)
}

fn carved_again(chip: Chip) -> Result<Vec<f16>> {
    let pipe = pipe(chip)?;
    let mut pool = MyBufPool::default();
    pipe.init_buf_pool(&mut pool, 8 * BYTES)?;
    let mut sums = add(&pipe, &mut pool, &numbers(1.0), &numbers(0.5))?;
    pool.reset()?;
    sums.extend(add(&pipe, &mut pool, &numbers(2.0), &numbers(0.25))?);
    pool.reset()?;
    Ok(sums)
}

/// z = x + y, with memory from the pool.
fn add(
    pipe: &TPipe,
    pool: &mut MyBufPool,
    x_gm: &GlobalTensor<f16>,
    y_gm: &GlobalTensor<f16>,
) -> Result<Vec<f16>> {
    let mut x_que = TQue::<VECIN, 1>::new().named("x");
    let mut y_buf = TBuf::<VECIN>::new().named("y");
    let mut z_que = TQue::<VECOUT, 1>::new().named("z");
    pool.init_queue(&mut x_que, 2, BYTES)?;
    pool.init_tbuf(&mut y_buf, BYTES)?;
    pool.init_queue(&mut z_que, 1, BYTES)?;

    let z_gm = GlobalTensor::<f16>::zeros(LEN);
    let (x, y) = (x_que.alloc_tensor::<f16>()?, y_buf.get::<f16>()?);
    data_copy(&y, y_gm)?;
    data_copy(&x, x_gm)?;
    x_que.enque(x)?; // orders the copy into y too: it came before on the same pipe
    let (x, z) = (x_que.deque::<f16>()?, z_que.alloc_tensor::<f16>()?);
    bufpool_runtime::ops::add(&z, &x, &y, LEN)?;
    x_que.free_tensor(x)?;
    z_que.enque(z)?;
    let z = z_que.deque::<f16>()?;
    data_copy(&z_gm, &z)?;
    z_que.free_tensor(z)?;
    pipe.pipe_barrier_all()?; // before the next round copies into y
    Ok(z_gm.to_vec())
}

fn six_queues(chip: Chip) -> Result<()> {
    let pipe = pipe(chip)?;
    let gm = numbers(0.0);
    let mut queues: [TQue<VECIN, 1>; 6] =
        ["a", "b", "c", "d", "e", "f"].map(|name| TQue::<VECIN, 1>::new().named(name));
    let mut out = TQue::<VECOUT, 1>::new().named("out");
    for que in &mut queues {
        pipe.init_buffer(que, 1, BYTES)?;
    }
    pipe.init_buffer(&mut out, 1, BYTES)?;
    let sum = out.alloc_tensor::<f16>()?;
    duplicate(&sum, f16::ZERO, LEN)?;
    for que in &queues {
        let x = que.alloc_tensor::<f16>()?;
        data_copy(&x, &gm)?;
        que.enque(x)?;
        let x = que.deque::<f16>()?;
        bufpool_runtime::ops::add(&sum, &sum, &x, LEN)?;
        que.free_tensor(x)?;
    }
    out.enque(sum)?;
    let sum = out.deque::<f16>()?;
    data_copy(&gm, &sum)?;
    out.free_tensor(sum)
}

fn bias_at_c1(chip: Chip) -> Result<()> {
    let pipe = pipe(chip)?;
    let mut bias = TQue::<C1, 1>::new().named("bias");
    let mut x_que = TQue::<VECIN, 1>::new().named("x");
    pipe.init_buffer(&mut bias, 1, BYTES)?;
    pipe.init_buffer(&mut x_que, 2, BYTES)
}
