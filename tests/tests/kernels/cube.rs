//! A matrix kernel on the cube core.

use super::*;

/// Which queue of a matrix kernel is left out of its enque and deque.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Forgot {
    Nothing,
    A1,
    A2,
    Result,
}

/// A1 and B1 to A2 and B2 to CO1 and out, as a matrix kernel goes.
fn matrix(pipe: &TPipe, forgot: Forgot) -> Result<()> {
    const L0: u32 = 512;
    let (mut a1, mut a2) = (TQue::<A1, 1>::new(), TQue::<A2, 1>::new());
    let (mut b2, mut co1) = (TQue::<B2, 1>::new(), TQue::<CO1, 1>::new());
    pipe.init_buffer(&mut a1, 2, L0)?;
    pipe.init_buffer(&mut a2, 2, L0)?;
    pipe.init_buffer(&mut b2, 2, L0)?;
    pipe.init_buffer(&mut co1, 1, L0)?;
    let pass = |que: &TQue<A1, 1>, t, forget| {
        if forget {
            return Ok(t);
        }
        que.enque(t)?;
        que.deque::<f16>()
    };
    for _ in 0..TILES {
        let x = a1.alloc_tensor::<f16>()?;
        data_copy(&x, &ones(256))?;
        let x = pass(&a1, x, forgot == Forgot::A1)?;
        let mut loaded = Vec::new();
        let a = a2.alloc_tensor::<f16>()?;
        issue("load_data", Pipe::MTE1, (&x,), (&a,), |(x,), (a,)| a.copy_from_slice(x))?;
        if forgot == Forgot::A2 {
            loaded.push(a);
        } else {
            a2.enque(a)?;
        }
        let b = b2.alloc_tensor::<f16>()?;
        issue("load_data", Pipe::MTE1, (&x,), (&b,), |(x,), (b,)| b.copy_from_slice(x))?;
        b2.enque(b)?;
        a1.free_tensor(x)?;
        let a = loaded.pop().map_or_else(|| a2.deque::<f16>(), Ok)?;
        let b = b2.deque::<f16>()?;
        let c = co1.alloc_tensor::<f32>()?;
        issue("mmad", Pipe::M, (&a, &b), (&c,), |_, (c,)| c.fill(1.0))?;
        a2.free_tensor(a)?;
        b2.free_tensor(b)?;
        let c = if forgot == Forgot::Result {
            c
        } else {
            co1.enque(c)?;
            co1.deque::<f32>()?
        };
        let gm = GlobalTensor::<f32>::zeros(128);
        issue("fixpipe", Pipe::FIX, (&c,), (&gm,), |(c,), (gm,)| gm.copy_from_slice(c))?;
        co1.free_tensor(c)?;
    }
    Ok(())
}

#[test]
fn a_matrix_kernel() {
    for (forgot, expected) in [
        (Forgot::Nothing, vec![]),
        // Nothing that MTE2 waits for has waited for its own last write.
        (Forgot::A1, vec!["read-race", "write-race"]),
        // The enque on B2 comes after the work for A2, on the same pipe: a note is all.
        (Forgot::A2, vec![]),
        (Forgot::Result, vec!["read-race"]),
    ] {
        for chip in [Chip::AtlasA2, Chip::AtlasA3, Chip::Ascend950, Chip::Atlas200I500A2] {
            let said = said_on(CoreKind::AIC, chip, |pipe| matrix(pipe, forgot));
            assert_eq!(said, expected, "{chip}");
        }
    }
}
