//! The model against the recorded behaviour of the real layer.

use std::path::{Path, PathBuf};

use bufpool_tests::{Listed, Summary, replay_folder};

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data/traces")
}

fn check(summary: &Summary) {
    println!("{summary}");
    assert!(summary.traces > 0 && summary.steps > 0, "no trace was replayed");
    assert!(summary.differences.is_empty(), "{} traces differ", summary.differences.len());
    assert!(summary.not_needed.is_empty(), "the list has entries that are not needed any more");
}

#[test]
fn golden_traces_of_the_repository_replay_equal() {
    let listed = Listed::read(&data().join("stricter.txt")).expect("the list is readable");
    check(&replay_folder(&data(), Some(&listed)).expect("the traces are readable"));
}

/// Replays the folder named by `BUFPOOL_GOLDEN_DIR`, where the model may refuse every listed kind.
#[test]
fn golden_traces_of_a_named_folder_replay_equal() {
    let Some(folder) = std::env::var_os("BUFPOOL_GOLDEN_DIR") else {
        println!("BUFPOOL_GOLDEN_DIR is not set: nothing more to replay");
        return;
    };
    check(&replay_folder(Path::new(&folder), None).expect("the traces are readable"));
}
