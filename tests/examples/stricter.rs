//! Prints the list of steps that the model refuses and the real layer does not:
//! `cargo run -p bufpool-tests --example stricter > tests/data/traces/stricter.txt`.

use std::io;
use std::path::Path;

use bufpool_tests::replay_folder;

fn main() -> io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/traces");
    let summary = replay_folder(&folder, None)?;
    println!(
        "# Steps that the real layer accepted and the model refuses. Where such a step changed something, the rest"
    );
    println!("# of its trace is not compared.");
    println!(
        "# A line each: file, trace, step, kind, then what the step was and why it is refused. Kinds:"
    );
    println!(
        "# 1 a record index past what the pool declares, or numbers that wrap; 2 a range outside the pool, or a"
    );
    println!(
        "# pool without a range; 3 used after the reset or end of its pipe or pool; 4 a view past its end or off"
    );
    println!(
        "# 32 bytes, no memory, or a length of zero; 5 a record that was never written; 6 an event id that is not"
    );
    println!("# reserved, or out of range; 7 a wait that no set can satisfy.");
    for step in &summary.stricter {
        println!("{step}");
    }
    for difference in &summary.differences {
        eprintln!("{difference}");
    }
    Ok(())
}
