//! The buffer layer itself: queues, buffers, events, pools, the pipe.

mod baseline;

use std::hint::black_box;

use baseline::pool::Pool;
use baseline::queue::{Buffer, Events, Queue};
use bufpool_runtime::prelude::*;
use criterion::{Criterion, criterion_group, criterion_main};

fn pipe(checks: Checks) -> TPipe {
    TPipe::builder(Chip::AtlasA2).checks(checks).build().expect("no other pipe lives")
}

const BOTH: [(&str, Checks); 2] = [("api", Checks::Api), ("full", Checks::Full)];

/// alloc, enque, deque, free.
fn queue_cycle<const N: usize>(c: &mut Criterion) {
    let mut group =
        baseline::group(c, format!("queue cycle, {N} block{}", if N == 1 { "" } else { "s" }));
    group.bench_function("bare", |b| {
        let (mut events, mut queue) = (Events::new(), Queue::new(N, 0, 1024));
        b.iter(|| {
            let (queue, events) = (black_box(&mut queue), black_box(&mut events));
            let x = queue.alloc(events);
            queue.enque(events, black_box(&x));
            let x = queue.deque(events);
            queue.free(events, black_box(&x));
        });
    });
    for (name, checks) in BOTH {
        group.bench_function(name, |b| {
            let pipe = pipe(checks);
            let mut que = TQue::<VECIN, 1>::new();
            pipe.init_buffer(&mut que, N as u32, 1024).expect("it fits");
            let cycle = |que: &TQue<VECIN, 1>| {
                let x = que.alloc_tensor::<f16>()?;
                black_box(&x);
                que.enque(x)?;
                let x = que.deque::<f16>()?;
                black_box(&x);
                que.free_tensor(x)
            };
            b.iter(|| cycle(black_box(&que)).expect("the cycle is legal"));
        });
    }
}

fn tbuf_get(c: &mut Criterion) {
    let mut group = baseline::group(c, "TBuf get");
    group.bench_function("bare", |b| {
        let buffer = Buffer { addr: 0, len: 1024 };
        b.iter(|| {
            black_box(&black_box(&buffer).get());
        });
    });
    for (name, checks) in BOTH {
        group.bench_function(name, |b| {
            let pipe = pipe(checks);
            let mut buf = TBuf::<VECCALC>::new();
            pipe.init_tbuf(&mut buf, 1024).expect("it fits");
            b.iter(|| {
                black_box(&black_box(&buf).get::<f16>().expect("it is there"));
            });
        });
    }
}

fn event_id(c: &mut Criterion) {
    let mut group = baseline::group(c, "event alloc, release");
    group.bench_function("bare", |b| {
        let mut events = Events::new();
        b.iter(|| {
            let events = black_box(&mut events);
            let event = black_box(4);
            let id = black_box(events.take(event));
            events.give_back(event, id);
        });
    });
    for (name, checks) in BOTH {
        group.bench_function(name, |b| {
            let pipe = pipe(checks);
            b.iter(|| {
                let pipe = black_box(&pipe);
                let event = black_box(HardEvent::MTE2_V);
                let id = black_box(pipe.alloc_event_id(event).expect("one is free"));
                pipe.release_event_id(event, id).expect("it is taken");
            });
        });
    }
}

#[extern_impl_bufpool(position = VECCALC, bufid_size = 16)]
#[derive(Default)]
struct MyBufPool;

impl MyBufPool {
    fn init_queue(&mut self, que: &mut TQue<VECIN, 1>, num: u8, len: u32) -> Result<()> {
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
}

/// A pool is given its range, carves a queue of two, and is reset. It shares the range of another
/// pool, so that the cursor of UB stays where it is.
fn pool_carve(c: &mut Criterion) {
    let mut group = baseline::group(c, "custom pool: carve 2, reset");
    group.bench_function("bare", |b| {
        let (mut events, mut pool) = (Events::new(), Pool::new());
        b.iter(|| {
            let pool = black_box(&mut pool);
            pool.init(black_box(0), black_box(4096));
            black_box(&pool.carve(black_box(2), black_box(1024)));
            pool.reset(&mut events);
        });
    });
    for (name, checks) in BOTH {
        group.bench_function(name, |b| {
            let pipe = pipe(checks);
            let mut range = TBufPool::<VECCALC>::new();
            pipe.init_buf_pool(&mut range, 4096).expect("it fits");
            let mut pool = MyBufPool::default();
            let mut que = TQue::<VECIN, 1>::new();
            let mut carve = || -> Result<()> {
                pipe.init_buf_pool_shared(&mut pool, black_box(4096), &range)?;
                pool.init_queue(black_box(&mut que), black_box(2), black_box(1024))?;
                pool.reset()
            };
            b.iter(|| carve().expect("the pool is in order"));
        });
    }
}

fn pipe_new(c: &mut Criterion) {
    let mut group = baseline::group(c, "TPipe new, drop");
    group.bench_function("bare", |b| {
        b.iter(|| black_box(Vec::<u8>::with_capacity(black_box(65536))));
    });
    group.bench_function("zeroed", |b| b.iter(|| black_box(vec![0_u8; black_box(65536)])));
    for (name, checks) in BOTH {
        group.bench_function(name, |b| b.iter(|| pipe(black_box(checks))));
    }
}

criterion_group! {
    name = benches;
    config = baseline::settings();
    targets = queue_cycle::<1>, queue_cycle::<2>, tbuf_get, event_id, pool_carve, pipe_new
}
criterion_main!(benches);
