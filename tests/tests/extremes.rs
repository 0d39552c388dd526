//! Counts, ranges and offsets at the ends of their types: an error or a result, never a panic.

use bufpool_runtime::prelude::*;
use bufpool_runtime::{DataError, launch};

const BYTES: u32 = 1024;
const LEN: usize = BYTES as usize / 4;
const HUGE: [usize; 8] = [
    usize::MAX,
    usize::MAX - 1,
    usize::MAX - 31,
    usize::MAX / 4,
    usize::MAX / 4 + 1,
    u32::MAX as usize,
    u32::MAX as usize / 4 + 1,
    i32::MAX as usize,
];
const SMALL: [usize; 2] = [0, 1];

fn too_far(result: &Result<()>) -> bool {
    use BufPoolError::{Data, OutsideMemory};
    use DataError::{GlobalOutOfBounds, PartialRepeat, TooLong};
    matches!(
        result,
        Err(OutsideMemory { .. }
            | Data(
                TooLong { .. }
                    | GlobalOutOfBounds { .. }
                    | PartialRepeat { .. }
                    | DataError::CopyLength { .. }
            ))
    )
}

/// A pipe with a TBuf of each type that operations take.
struct Desk {
    pipe: TPipe,
    f32: TBuf<VECCALC>,
    f16: TBuf<VECCALC>,
    bytes: TBuf<VECCALC>,
}

impl Desk {
    fn new() -> Self {
        let pipe = TPipe::new(Chip::AtlasA2).unwrap();
        let mut bufs = [TBuf::new(), TBuf::new(), TBuf::new()];
        for buf in &mut bufs {
            pipe.init_tbuf(buf, BYTES).unwrap();
        }
        let [f32, f16, bytes] = bufs;
        Desk { pipe, f32, f16, bytes }
    }

    /// Every operation that takes a count.
    fn all(&self, n: usize) -> Vec<(&'static str, Result<()>)> {
        let (x, y) = (&self.f32.get::<f32>().unwrap(), &self.f16.get::<f16>().unwrap());
        let (i, mask) = (&self.f16.get::<i32>().unwrap(), &self.bytes.get::<u8>().unwrap());
        let gm = &GlobalTensor::<f32>::zeros(LEN);
        macro_rules! results {
            ($($op:ident($($arg:expr),*);)*) => { vec![$((stringify!($op), $op($($arg),*))),*] };
        }
        let mut all = results! {
            add(x, x, x, n); sub(x, x, x, n); mul(x, x, x, n); div(x, x, x, n);
            max(x, x, x, n); min(x, x, x, n);
            adds(x, x, 1.0, n); muls(x, x, 1.0, n); maxs(x, x, 1.0, n); mins(x, x, 1.0, n);
            abs(x, x, n); exp(x, x, n); ln(x, x, n); sqrt(x, x, n); relu(x, x, n);
            duplicate(x, 1.0, n);
            reduce_sum(x, x, x, n); reduce_max(x, x, x, n); reduce_min(x, x, x, n);
            cast(y, x, RoundMode::CAST_RINT, n); cast(x, y, RoundMode::CAST_NONE, n);
            cast(i, x, RoundMode::CAST_RINT, n); cast(x, x, RoundMode::CAST_RINT, n);
            select(x, mask, x, x, n); select_scalar(x, mask, x, 1.0, n);
        };
        all.extend([
            ("compare", compare(mask, x, x, CmpMode::LT, n)),
            ("compare f16", compare(mask, y, y, CmpMode::LT, n)),
            ("load", data_copy_n(x, gm, n)),
            ("store", data_copy_n(gm, x, n)),
            ("shift", data_copy_n(x, x, n)),
            ("load bytes", data_copy_n(mask, &GlobalTensor::<u8>::zeros(LEN), n)),
            ("store slice", data_copy_n(&gm.slice(8..16).unwrap(), x, n)),
        ]);
        all
    }
}

#[test]
fn a_count_past_every_memory_is_an_error_of_every_operation() {
    let desk = Desk::new();
    for n in HUGE {
        for (op, result) in desk.all(n) {
            assert!(too_far(&result), "{op} of {n}: {result:?}");
            assert!(!result.unwrap_err().to_string().contains("bug"), "{op} of {n}");
        }
    }
}

#[test]
fn nothing_and_one_element_are_done_or_refused_as_what_they_are() {
    let desk = Desk::new();
    for n in SMALL {
        for (op, result) in desk.all(n) {
            let whole = op.starts_with("compare")
                || op.contains("load")
                || op.contains("sto")
                || op == "shift";
            assert_eq!(result.is_ok(), n == 0 || !whole, "{op} of {n}: {result:?}");
        }
    }
}

#[test]
fn single_elements_far_away_are_errors() {
    let desk = Desk::new();
    let x = desk.f32.get::<f32>().unwrap();
    let part = x.slice(8..16).unwrap();
    for n in HUGE {
        assert!(too_far(&x.get_value(n).map(drop)) && too_far(&x.set_value(n, 1.0)), "{n}");
        assert!(too_far(&part.get_value(n).map(drop)) && too_far(&part.set_value(n, 1.0)), "{n}");
    }
    for n in SMALL {
        assert!(x.set_value(n, 1.0).is_ok() && part.get_value(n).is_ok());
    }
}

#[test]
fn slices_of_any_range() {
    let desk = Desk::new();
    let x = desk.f32.get::<f32>().unwrap();
    let gm = GlobalTensor::<f32>::zeros(LEN);
    let (view, part) = (x.slice(8..16).unwrap(), gm.slice(8..16).unwrap());
    let ends: Vec<usize> = HUGE.into_iter().chain(SMALL).chain([8, LEN, LEN + 1]).collect();
    for &start in &ends {
        for &end in &ends {
            let range = start..end;
            let local = [(x.slice(range.clone()), LEN), (view.slice(range.clone()), 8)];
            for (slice, len) in local {
                match slice {
                    Ok(slice) => {
                        assert_eq!((start <= end && end <= len, slice.len()), (true, end - start));
                    }
                    Err(BufPoolError::Data(DataError::ReversedRange { .. })) => {
                        assert!(start > end);
                    }
                    Err(error) => {
                        assert!(matches!(error, BufPoolError::ViewOutOfBounds { .. }), "{error}");
                        assert!(start <= end && end > len);
                    }
                }
            }
            let global = [(gm.slice(range.clone()), LEN), (part.slice(range.clone()), 8)];
            for (slice, len) in global {
                match slice {
                    Ok(slice) => {
                        assert_eq!((start <= end && end <= len, slice.len()), (true, end - start));
                    }
                    Err(BufPoolError::Data(DataError::ReversedRange { .. })) => {
                        assert!(start > end);
                    }
                    Err(error) => {
                        assert!(
                            matches!(
                                error,
                                BufPoolError::Data(DataError::GlobalOutOfBounds { .. })
                            ),
                            "{error}"
                        );
                        assert!(start <= end && end > len);
                    }
                }
            }
        }
    }
    #[allow(clippy::reversed_empty_ranges, reason = "the mistake under test")]
    let text = x.slice(5..3).unwrap_err().to_string();
    assert!(text.starts_with("slice of 5..3: the range ends before it starts"), "{text}");
}

#[test]
fn tensors_at_fixed_addresses() {
    let desk = Desk::new();
    for n in HUGE {
        for addr in [0, 32, u32::MAX, u32::MAX - 31] {
            let tensor = LocalTensor::<f32>::at(&desk.pipe, TPosition::VECIN, addr, n);
            assert!(matches!(tensor, Err(BufPoolError::OutsideMemory { .. })), "{n} at {addr}");
        }
    }
    for n in SMALL {
        assert_eq!(LocalTensor::<f32>::at(&desk.pipe, TPosition::VECIN, 32, n).unwrap().len(), n);
        let global = LocalTensor::<f32>::at(&desk.pipe, TPosition::GM, 0, n);
        assert!(matches!(global, Err(BufPoolError::NotOnChip { .. })), "{global:?}");
    }
}

#[test]
fn views_of_a_tbuf() {
    let desk = Desk::new();
    let buf = &desk.f32;
    for n in HUGE {
        let first = buf.get_len::<f32>(n);
        let short = matches!(
            first,
            Err(BufPoolError::ViewOutOfBounds { .. } | BufPoolError::ViewMisaligned { .. })
        );
        assert!(short, "{n}: {first:?}");
        for offset in [0, 32, u32::MAX - 31] {
            let view = buf.get_with_offset::<f32>(n, offset);
            assert!(
                matches!(view, Err(BufPoolError::ViewOutOfBounds { .. })),
                "{n} at {offset}: {view:?}"
            );
        }
    }
    let misaligned = buf.get_with_offset::<f32>(1, u32::MAX);
    assert!(matches!(misaligned, Err(BufPoolError::ViewMisaligned { .. })), "{misaligned:?}");
    for empty in
        [buf.get_len::<f32>(0), buf.get_with_offset::<f32>(0, 0), buf.get_with_offset(0, BYTES)]
    {
        let text = empty.unwrap_err().to_string();
        assert!(text.starts_with("a view of the VECCALC TBuf cannot be 0 bytes long"), "{text}");
    }
    assert!(buf.get_len::<f32>(1).unwrap_err().to_string().ends_with("help: use 8 elements"));
    assert_eq!(buf.get_with_offset::<f32>(1, 32).unwrap().len(), 1);
}

#[test]
fn copies_in_blocks_of_the_greatest_shapes() {
    let desk = Desk::new();
    let x = desk.f32.get::<f32>().unwrap();
    let gm = GlobalTensor::<f32>::zeros(LEN);
    for most in [u16::MAX, 4095] {
        let shape = DataCopyBlocks {
            block_count: most,
            block_len: most,
            src_stride: most,
            dst_stride: most,
        };
        for result in [
            data_copy_blocks(&x, &gm, &shape),
            data_copy_blocks(&gm, &x, &shape),
            data_copy_blocks(&x, &x, &shape),
        ] {
            assert!(result.is_err());
        }
    }
    for count in [0, 1, 2, 4095, u16::MAX] {
        for len in [0, 1, 2_097_151, u32::MAX] {
            for stride in [0, 1, u32::MAX] {
                let shape = DataCopyPad {
                    block_count: count,
                    block_len: len,
                    src_stride: stride,
                    dst_stride: stride,
                };
                let fits = count <= 4095 && len <= 2_097_151 && (count == 0 || len == 0);
                let small = count == 1 && len == 1;
                let two = count == 2 && len == 1 && stride < 2;
                for result in [data_copy_pad(&x, &gm, &shape), data_copy_pad(&gm, &x, &shape)] {
                    assert!(
                        result.is_err() || fits || small || two || stride < 2,
                        "{shape:?}: {result:?}"
                    );
                }
                let padding = Padding { left_padding: u8::MAX, right_padding: u8::MAX, value: 1.0 };
                assert!(data_copy_pad_with(&x, &gm, &shape, &padding).is_err());
            }
        }
    }
}

#[test]
fn the_spm_buffer() {
    let desk = Desk::new();
    let x = desk.f32.get::<f32>().unwrap();
    let workspace = GlobalTensor::<u8>::zeros(1024);
    for n in HUGE {
        assert!(desk.pipe.init_spm_buffer(&workspace, n).is_err());
    }
    desk.pipe.init_spm_buffer(&workspace, 1024).unwrap();
    let blocks = DataCopyBlocks { block_count: 1, block_len: 1, ..DataCopyBlocks::default() };
    for n in HUGE {
        let results = [
            desk.pipe.write_spm_buffer(&x, n, 0),
            desk.pipe.write_spm_buffer(&x, 8, n),
            desk.pipe.write_spm_buffer(&x, n, n),
            desk.pipe.read_spm_buffer(&x, n, 0),
            desk.pipe.read_spm_buffer(&x, 8, n),
            desk.pipe.read_spm_buffer(&x, n, n),
            desk.pipe.write_spm_buffer_blocks(&x, &blocks, n),
            desk.pipe.read_spm_buffer_blocks(&x, &blocks, n),
        ];
        for result in results {
            assert!(matches!(result, Err(BufPoolError::ViewOutOfBounds { .. })), "{n}: {result:?}");
        }
    }
}

#[test]
fn global_memory_of_any_length() {
    for n in &HUGE[..5] {
        let error = GlobalTensor::<f32>::try_zeros(*n).unwrap_err();
        assert!(matches!(error, BufPoolError::Data(DataError::GlobalTooLarge { .. })), "{error}");
        assert!(GlobalTensor::<u8>::try_zeros(*n).is_err());
    }
    for n in SMALL {
        assert_eq!(GlobalTensor::<f32>::try_zeros(n).unwrap().len(), n);
    }
}

#[test]
fn shares_of_any_length() {
    launch(3, Chip::AtlasA2, |core| {
        for len in HUGE.into_iter().chain(SMALL) {
            for step in HUGE.into_iter().chain(SMALL).chain([8]) {
                let share = core.share(len, step);
                assert!(share.start <= share.end && share.end <= len);
                assert!(core.block_idx() != 2 || share.end == len, "{share:?} of {len} by {step}");
            }
        }
        Ok(())
    })
    .unwrap();
}
