//! The SPM buffer: in a workspace on every chip, in L1 on two.

use bufpool_runtime::Hardware;
use bufpool_runtime::ops::DataCopyBlocks;
use bufpool_runtime::prelude::*;

const WITH_TPIPE: [Chip; 6] = [
    Chip::Ascend950,
    Chip::AtlasA3,
    Chip::AtlasA2,
    Chip::Atlas200I500A2,
    Chip::AtlasInferenceAiCore,
    Chip::AtlasTraining,
];

fn checked(chip: Chip) -> Result<TPipe> {
    TPipe::builder(chip).checks(Checks::Full).build()
}

/// Puts 64 numbers aside, 16 elements from the start, and fetches them again.
fn there_and_back(pipe: &TPipe) -> Result<Vec<f32>> {
    let (mut first, mut second) = (TBuf::<VECCALC>::new(), TBuf::<VECCALC>::new());
    pipe.init_tbuf(&mut first, 256)?;
    pipe.init_tbuf(&mut second, 256)?;
    let (first, second) = (first.get::<f32>()?, second.get::<f32>()?);
    duplicate(&first, 0.75, 64)?;
    pipe.pipe_barrier_all()?;
    pipe.write_spm_buffer(&first, 64, 16)?;
    pipe.pipe_barrier_all()?;
    pipe.read_spm_buffer(&second, 64, 16)?;
    pipe.pipe_barrier_all()?;
    (0..64).map(|index| second.get_value(index)).collect()
}

#[test]
fn a_workspace_in_global_memory_serves_on_every_chip() -> Result<()> {
    for chip in WITH_TPIPE {
        let workspace = GlobalTensor::<u8>::zeros(512);
        let pipe = checked(chip)?;
        pipe.init_spm_buffer(&workspace, 512)?;
        let back = there_and_back(&pipe)?;
        assert_eq!(back, [0.75; 64], "{chip}");
        assert_eq!(workspace.to_vec()[64..68], 0.75_f32.to_le_bytes(), "{chip}");
        pipe.finish().assert_clean();
    }
    Ok(())
}

#[test]
fn l1_serves_where_one_core_writes_and_reads_it() -> Result<()> {
    for chip in WITH_TPIPE {
        let pipe = checked(chip)?;
        match pipe.init_spm_buffer_l1(512) {
            Ok(()) => {
                assert!(matches!(chip, Chip::AtlasTraining | Chip::AtlasInferenceAiCore), "{chip}");
                let back = there_and_back(&pipe)?;
                assert_eq!((back, pipe.used_bytes(Hardware::L1)), (vec![0.75; 64], 512), "{chip}");
                pipe.finish().assert_clean();
            }
            Err(error) => {
                assert!(
                    !matches!(chip, Chip::AtlasTraining | Chip::AtlasInferenceAiCore),
                    "{chip}"
                );
                let text = error.to_string();
                assert!(text.starts_with(&format!("{chip} has no SPM buffer in L1")), "{text}");
                assert!(text.contains("help: pass a workspace in global memory"), "{text}");
            }
        }
    }
    Ok(())
}

#[test]
fn blocks_with_gaps_go_out_packed_and_come_back_spread() -> Result<()> {
    let workspace = GlobalTensor::<i32>::zeros(64);
    let pipe = checked(Chip::AtlasA2)?;
    let mut buf = TBuf::<VECCALC>::new();
    pipe.init_tbuf(&mut buf, 256)?;
    let x = buf.get::<i32>()?;
    for (index, number) in (0..64).zip(0_i32..) {
        x.set_value(index, number)?;
    }
    pipe.init_spm_buffer(&workspace, 256)?;
    pipe.pipe_barrier_all()?;
    // Every second block of 8 elements, one after the other.
    let out = DataCopyBlocks { block_count: 4, block_len: 1, src_stride: 1, dst_stride: 0 };
    pipe.write_spm_buffer_blocks(&x, &out, 0)?;
    pipe.pipe_barrier_all()?;
    let packed: Vec<i32> = (0..4).flat_map(|block| block * 16..block * 16 + 8).collect();
    assert_eq!(workspace.to_vec()[..32], packed);
    let back = DataCopyBlocks { block_count: 2, block_len: 1, src_stride: 1, dst_stride: 0 };
    pipe.read_spm_buffer_blocks(&x, &back, 8)?;
    pipe.pipe_barrier_all()?;
    assert_eq!([x.get_value(0)?, x.get_value(8)?], [16, 48]);
    Ok(())
}

#[test]
fn what_is_wrong_with_a_call_is_said() -> Result<()> {
    let workspace = GlobalTensor::<f32>::zeros(64);
    let pipe = TPipe::new(Chip::AtlasA2)?;
    let mut buf = TBuf::<VECCALC>::new();
    pipe.init_tbuf(&mut buf, 1024)?;
    let x = buf.get::<f32>()?;
    let first_line = |done: Result<()>| {
        done.unwrap_err().to_string().lines().next().unwrap_or_default().to_owned()
    };
    assert_eq!(first_line(pipe.write_spm_buffer(&x, 8, 0)), "the SPM buffer has no memory yet");
    assert_eq!(
        first_line(pipe.init_spm_buffer(&workspace, 0)),
        "the SPM buffer cannot be 0 bytes long"
    );
    assert_eq!(
        first_line(pipe.init_spm_buffer(&workspace, 257)),
        "[0, 257) ends 1 bytes past the workspace of 256 bytes"
    );
    pipe.init_spm_buffer(&workspace, 256)?;
    assert_eq!(
        first_line(pipe.write_spm_buffer(&x, 56, 16)),
        "[64, 288) ends 32 bytes past the SPM buffer of 256 bytes"
    );
    assert_eq!(
        first_line(pipe.read_spm_buffer(&x, 3, 0)),
        "data_copy_n of 12 bytes: 12 is not a multiple of 32, the device would copy 0"
    );
    assert!(pipe.read_spm_buffer(&x, usize::MAX, 0).is_err());
    assert!(pipe.read_spm_buffer(&x, 8, usize::MAX).is_err());
    Ok(())
}
