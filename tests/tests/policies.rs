//! Placement policies that only a custom pool can express, with data flowing through them.

#![allow(clippy::cast_precision_loss, reason = "small numbers as data")]

use bufpool_runtime::prelude::*;

/// Blocks at addresses of the author's choice: any order, with holes.
#[extern_impl_bufpool(position = VECCALC, bufid_size = 8)]
#[derive(Default)]
struct Scattered;

impl Scattered {
    fn init_queue<S: Position, D: Position, const N: usize>(
        &mut self,
        que: &mut TQueBind<S, D, N>,
        addrs: &[u32],
        len: u32,
    ) -> Result<()> {
        let first = self.get_cur_buf_size();
        let num = addrs.len() as u8;
        que.init_start_buf_handle(self.get_buf_handle(first)?, num, len)?;
        for (i, &addr) in (0..num).zip(addrs) {
            que.init_buf_handle(self, i, self.get_buf_handle(first + i)?, addr, len)?;
        }
        self.set_cur_buf_size(first + num);
        Ok(())
    }
}

/// Four blocks that every queue shares, each queue with a cursor of its own.
#[extern_impl_bufpool(position = VECIN, bufid_size = 4)]
#[derive(Default)]
struct Ring;

impl Ring {
    fn init_queue<S: Position, D: Position, const N: usize>(
        &mut self,
        que: &mut TQueBind<S, D, N>,
        len: u32,
    ) -> Result<()> {
        let addr = self.get_cur_addr();
        que.init_start_buf_handle(self.get_buf_handle(0)?, Self::BUFID_SIZE, len)?;
        for i in 0..Self::BUFID_SIZE {
            que.init_buf_handle(self, i, self.get_buf_handle(i)?, addr + u32::from(i) * len, len)?;
        }
        self.set_cur_buf_size(Self::BUFID_SIZE);
        Ok(())
    }
}

const LEN: usize = 64;
const BYTES: u32 = 256;

/// `LEN` elements of which each tells its tile and its index.
fn numbers(tiles: usize, scale: f32) -> Vec<f32> {
    (0..tiles * LEN).map(|i| i as f32 * scale).collect()
}

#[test]
fn scattered_blocks_keep_their_addresses_and_their_data() -> Result<()> {
    const TILES: usize = 5;
    let (x, y) = (numbers(TILES, 1.0), numbers(TILES, 0.5));
    let (x_gm, y_gm) = (GlobalTensor::from_slice(&x), GlobalTensor::from_slice(&y));
    let z_gm = GlobalTensor::<f32>::zeros(TILES * LEN);

    let pipe = TPipe::new(Chip::AtlasA2)?;
    let mut taken = TQue::<VECIN, 1>::new();
    pipe.init_buffer(&mut taken, 1, 1024)?;
    let mut pool = Scattered::default();
    pipe.init_buf_pool(&mut pool, 8192)?;
    let base = pool.get_cur_addr();
    assert_eq!(base, 1024);

    let (mut x_que, mut y_que) = (TQue::<VECIN, 1>::new(), TQue::<VECIN, 1>::new());
    let mut z_que = TQue::<VECOUT, 1>::new();
    pool.init_queue(&mut x_que, &[base + 4096, base + 512], BYTES)?;
    pool.init_queue(&mut y_que, &[base + 7936, base], BYTES)?;
    pool.init_queue(&mut z_que, &[base + 2048, base + 1024], BYTES)?;

    let mut addrs = Vec::new();
    for tile in 0..TILES {
        let part = tile * LEN..(tile + 1) * LEN;
        let x = x_que.alloc_tensor::<f32>()?;
        addrs.push(x.addr() - base);
        data_copy(&x, &x_gm.slice(part.clone())?)?;
        x_que.enque(x)?;
        let y = y_que.alloc_tensor::<f32>()?;
        data_copy(&y, &y_gm.slice(part.clone())?)?;
        y_que.enque(y)?;
        let (x, y) = (x_que.deque::<f32>()?, y_que.deque::<f32>()?);
        let z = z_que.alloc_tensor::<f32>()?;
        add(&z, &x, &y, LEN)?;
        x_que.free_tensor(x)?;
        y_que.free_tensor(y)?;
        z_que.enque(z)?;
        let z = z_que.deque::<f32>()?;
        data_copy(&z_gm.slice(part)?, &z)?;
        z_que.free_tensor(z)?;
    }
    assert_eq!(addrs, [4096, 512, 4096, 512, 4096]);
    let sum: Vec<f32> = x.iter().zip(&y).map(|(x, y)| x + y).collect();
    assert_eq!(z_gm.to_vec(), sum);
    pool.reset()
}

#[test]
fn a_ring_lends_the_same_four_blocks_to_three_queues() -> Result<()> {
    const TILES: usize = 7;
    let inputs = [numbers(TILES, 1.0), numbers(TILES, 0.25), numbers(TILES, -2.0)];
    let in_gm = inputs.each_ref().map(|input| GlobalTensor::from_slice(input));
    let out_gm = GlobalTensor::<f32>::zeros(TILES * LEN);

    let pipe = TPipe::new(Chip::AtlasA2)?;
    let mut ring = Ring::default();
    pipe.init_buf_pool(&mut ring, 4 * BYTES)?;
    let mut queues = [TQue::<VECIN, 1>::new(), TQue::<VECIN, 1>::new(), TQue::<VECIN, 1>::new()];
    for que in &mut queues {
        ring.init_queue(que, BYTES)?;
    }
    let mut out_que = TQue::<VECOUT, 1>::new();
    pipe.init_buffer(&mut out_que, 2, BYTES)?;

    let mut blocks = Vec::new();
    for tile in 0..TILES {
        let part = tile * LEN..(tile + 1) * LEN;
        for (que, gm) in queues.iter().zip(&in_gm) {
            let tensor = que.alloc_tensor::<f32>()?;
            blocks.push(tensor.handle().map(TBufHandle::index));
            data_copy(&tensor, &gm.slice(part.clone())?)?;
            que.enque(tensor)?;
        }
        let [a, b, c] = queues.each_ref().map(|que| que.deque::<f32>());
        let (a, b, c) = (a?, b?, c?);
        let out = out_que.alloc_tensor::<f32>()?;
        add(&out, &a, &b, LEN)?;
        add(&out, &out, &c, LEN)?;
        for (que, tensor) in queues.iter().zip([a, b, c]) {
            que.free_tensor(tensor)?;
        }
        out_que.enque(out)?;
        let out = out_que.deque::<f32>()?;
        data_copy(&out_gm.slice(part)?, &out)?;
        out_que.free_tensor(out)?;
    }
    // Each queue goes on at its own cursor and skips what another one holds.
    let first_rounds: Vec<u8> = blocks.iter().take(9).flatten().copied().collect();
    assert_eq!(first_rounds, [0, 1, 2, 1, 2, 3, 2, 3, 0]);
    let sum: Vec<f32> =
        (0..TILES * LEN).map(|i| inputs[0][i] + inputs[1][i] + inputs[2][i]).collect();
    assert_eq!(out_gm.to_vec(), sum);
    ring.reset()
}

#[test]
fn a_ring_of_different_free_events_waits_for_a_flag_that_nobody_sets() -> Result<()> {
    let pipe = TPipe::new(Chip::AtlasA2)?;
    let mut ring = Ring::default();
    pipe.init_buf_pool(&mut ring, 4 * BYTES)?;
    let mut input = TQue::<VECIN, 1>::new();
    let mut output = TQue::<VECOUT, 1>::new();
    ring.init_queue(&mut input, BYTES)?;
    ring.init_queue(&mut output, BYTES)?;
    // Each queue may go on with the blocks that it freed itself.
    for _ in 0..5 {
        let tensor = input.alloc_tensor::<f32>()?;
        input.free_tensor(tensor)?;
    }
    let error = output.alloc_tensor::<f32>().map(drop).unwrap_err();
    assert!(
        matches!(error, BufPoolError::MixedFreeEvents { event: HardEvent::MTE3_V, id: 0, .. }),
        "{error}"
    );
    Ok(())
}

#[test]
fn a_range_outside_the_pool_names_both_ranges_and_the_holders() -> Result<()> {
    let pipe = TPipe::new(Chip::AtlasA2)?;
    let mut pool = Scattered::default();
    pipe.init_buf_pool(&mut pool, 1024)?;
    let mut que = TQue::<VECIN, 1>::new().named("x");
    let error = pool.init_queue(&mut que, &[0, 768, 960], BYTES).unwrap_err();
    let BufPoolError::OutsidePool { addr, end, start, pool_end, .. } = &error else {
        panic!("{error}");
    };
    assert_eq!((*addr, *end, *start, *pool_end), (960, 1216, 0, 1024));
    Ok(())
}
