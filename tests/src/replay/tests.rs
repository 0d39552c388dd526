//! The replayer on tiny traces: each fault next to the same trace without it.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::{env, fs, io, process};

use super::{Summary, replay_folder};

/// A folder of its own, gone at the end.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Replays one file, `c.jsonl`, with these lines.
fn replay_lines(lines: &str) -> io::Result<Summary> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let name = format!("bufpool-replay-{}-{}", process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
    let folder = Folder(env::temp_dir().join(name));
    fs::create_dir(&folder.0)?;
    fs::write(folder.0.join("c.jsonl"), lines)?;
    replay_folder(&folder.0, None)
}

fn line(arch: &str, steps: &[&str]) -> String {
    format!(r#"{{"name":"tiny","arch":"{arch}","steps":[{}]}}"#, steps.join(","))
}

fn replay(steps: &[&str]) -> io::Result<Summary> {
    replay_lines(&line("2201", steps))
}

const NEW: &str = r#"{"op":"pipe.new","pipe":{"blocks":0,"cursors":{},"events":{},"tscm":524160}}"#;
const OBJ: &str = r#"{"op":"obj q vecin1"}"#;
const INIT: &str = r#"{"op":"pipe.init_buffer q 1 64","ret":true,"queues":{"q":{"blocks":1,"used":0,"out":0,"cursor":0,"records":[[["pipe",0],0,64,"F",-1,-1,"V_MTE2"]]}},"pipe":{"blocks":1,"cursors":{"UB":64},"events":{},"tscm":524160}}"#;
const ALLOC: &str = r#"{"op":"que.alloc q t","ret":{"addr":0,"len":64,"size":64,"pos":"VECIN","at":["pipe",0]},"queues":{"q":{"blocks":1,"used":0,"out":1,"cursor":0,"records":[[["pipe",0],0,64,"O",-1,-1,"V_MTE2"]]}}}"#;

#[track_caller]
fn equal(replayed: io::Result<Summary>, steps: usize) {
    let summary = replayed.expect("the trace is well formed");
    assert!(summary.differences.is_empty(), "{summary}");
    assert_eq!(summary.steps, steps, "{summary}");
}

/// The only difference, which has all these words.
#[track_caller]
fn differs(replayed: io::Result<Summary>, words: &[&str]) {
    let summary = replayed.expect("the trace is well formed");
    assert_eq!(summary.differences.len(), 1, "{summary}");
    assert_eq!(summary.refused, 0, "{summary}");
    let difference = summary.differences[0].to_string();
    assert!(words.iter().all(|&word| difference.contains(word)), "{difference}");
}

#[track_caller]
fn not_a_trace(replayed: io::Result<Summary>, words: &[&str]) {
    let error = replayed.expect_err("the file is malformed").to_string();
    assert!(words.iter().all(|&word| error.contains(word)), "{error}");
}

#[test]
fn a_step_that_the_model_refuses_too_counts_as_refused_by_both() {
    let refused =
        replay(&[NEW, OBJ, INIT, ALLOC, r#"{"op":"que.alloc q u","fails":"no free block"}"#])
            .unwrap();
    assert!(refused.differences.is_empty(), "{refused}");
    assert_eq!((refused.steps, refused.refused), (4, 1));
    let uncompiled = replay(&[
        NEW,
        r#"{"op":"obj p pool4"}"#,
        r#"{"op":"pool.init p","fails":"does not compile"}"#,
    ]);
    assert_eq!(uncompiled.unwrap().refused, 1);
    let wrapped = r#"{"op":"pipe.init_buffer q 1 4294967296","fails":"memory full"}"#;
    assert_eq!(replay(&[NEW, OBJ, wrapped]).unwrap().refused, 1);
    let whole = [NEW, OBJ, INIT, r#"{"op":"que.alloc q t","fails":"no free block"}"#];
    differs(replay(&whole), &["c tiny 3: que.alloc q t", "an error (no free block)", "Ok"]);
}

#[test]
fn what_the_replayer_does_not_know_is_a_difference_even_where_the_layer_refused() {
    let unknown = [
        "que.alloc_all q t",
        "que.alloc r t",
        "que.free q never",
        "que.enque q never",
        "que.enque_pos q t NOWHERE VECIN",
        "pipe.init_buffer q 1 many",
        "pipe.init_pool p 64 nothing",
        "pipe.release_event V_NOTHING 0",
        "obj r vecin99",
        "alloc",
        "",
    ];
    for op in unknown {
        let with = |rest: &str| format!(r#"{{"op":"{op}"{rest}}}"#);
        let pool = r#"{"op":"obj p pool4"}"#;
        let known = format!("the replayer does not know `{op}`");
        differs(
            replay(&[NEW, OBJ, pool, INIT, ALLOC, &with(r#","fails":"hangs""#)]),
            &["c tiny 5", "hangs", &known],
        );
        differs(replay(&[NEW, OBJ, pool, INIT, ALLOC, &with("")]), &["c tiny 5", &known]);
    }
}

#[test]
fn an_unknown_arch_is_an_error() {
    equal(replay_lines(&line("2201", &[NEW, OBJ, INIT, ALLOC])), 4);
    for arch in ["9999", "2201_aiv", "_aic", "2201_aic_aic", ""] {
        not_a_trace(
            replay_lines(&line(arch, &[NEW, OBJ, INIT, ALLOC])),
            &["c.jsonl, line 1: trace tiny: unknown arch", &format!("`{arch}`")],
        );
    }
}

#[test]
fn keys_outside_the_format_are_errors() {
    equal(replay(&[NEW, OBJ, INIT]), 3);
    for key in ["fail", "queue", "rets", "pipes", "Flags", "tbuf"] {
        let step = INIT.replacen(r#""ret""#, &format!(r#""{key}":true,"ret""#), 1);
        let place = format!(
            "c.jsonl, line 1: trace tiny: step 2: pipe.init_buffer q 1 64: unknown key `{key}`"
        );
        not_a_trace(replay(&[NEW, OBJ, &step]), &[&place]);
    }
    let whole = line("2201", &[NEW]);
    equal(replay_lines(&whole), 1);
    not_a_trace(
        replay_lines(&whole.replacen('{', r#"{"chip":1,"#, 1)),
        &["trace tiny: unknown key `chip`"],
    );
    // Things seen after a refused call, or keys of what was seen, that nothing would be compared with.
    let refused = r#"{"op":"que.alloc q u","fails":"no free block"}"#;
    assert_eq!(replay(&[NEW, OBJ, INIT, ALLOC, refused]).unwrap().refused, 1);
    let seen = refused.replacen('}', r#","ret":true}"#, 1);
    not_a_trace(replay(&[NEW, OBJ, INIT, ALLOC, &seen]), &["step 4", "unknown key `ret`"]);
    differs(replay(&[&NEW.replace(r#""tscm""#, r#""tscms":1,"tscm""#)]), &["c tiny 0", "tscms"]);
    differs(
        replay(&[NEW, OBJ, &INIT.replace(r#""used""#, r#""uses":0,"used""#)]),
        &["c tiny 2", "uses"],
    );
}

#[test]
fn malformed_steps_name_their_place() {
    let addrs = |list: &str| format!(r#"{{"op":"pipe.init_buffer_addrs q{list}","ret":true}}"#);
    equal(
        replay(&[
            NEW,
            OBJ,
            &addrs(" 0 64 64 64").replace(
                "true",
                "true,\"pipe\":{\"blocks\":2,\"cursors\":{},\"events\":{},\"tscm\":524160}",
            ),
        ]),
        3,
    );
    differs(
        replay(&[NEW, OBJ, &addrs(" 0 64 64")]),
        &["c tiny 2: pipe.init_buffer_addrs q 0 64 64", "does not know"],
    );
    // Records that are too short, or no records.
    for record in [r#"[["pipe",0],0,64]"#, r#"[["pipe",0],0,64,"F",-1]"#, "[]", "7"] {
        let step = INIT.replace(r#"[["pipe",0],0,64,"F",-1,-1,"V_MTE2"]"#, record);
        differs(replay(&[NEW, OBJ, &step]), &["c tiny 2: pipe.init_buffer q 1 64", "queue q"]);
    }
    let buf = r#"{"op":"obj b buf_calc"}"#;
    let init = |record: &str| {
        format!(
            r#"{{"op":"pipe.init_buf b 64","ret":true,"tbufs":{{"b":{{"len":64,"record":{record}}}}},"pipe":{{"blocks":1,"cursors":{{"UB":64}},"events":{{}},"tscm":524160}}}}"#
        )
    };
    equal(replay(&[NEW, buf, &init(r#"[["pipe",0],0,64,"F",-1,-1]"#)]), 3);
    differs(
        replay(&[NEW, buf, &init(r#"[["pipe",0]]"#)]),
        &["c tiny 2: pipe.init_buf b 64", "tbuf b"],
    );
    for (right, wrong, why) in [
        (r#"{"op":"obj q vecin1"}"#, r#"{"ops":"obj q vecin1"}"#, "step 1: no `op`"),
        (r#"{"op":"obj q vecin1"}"#, r#"{"op":7}"#, "step 1: `op` is not a text"),
        (r#"{"op":"obj q vecin1"}"#, "7", "step 1: not an object"),
        (
            r#"{"op":"obj q vecin1"}"#,
            r#"{"op":"obj q vecin1","fails":true}"#,
            "step 1: obj q vecin1: `fails` is not a text",
        ),
        (
            r#"{"op":"obj q vecin1"}"#,
            r#"{"op":"obj q vecin1","queues":[]}"#,
            "step 1: obj q vecin1: `queues` is not an object",
        ),
    ] {
        equal(replay(&[NEW, right]), 2);
        not_a_trace(replay(&[NEW, wrong]), &["c.jsonl, line 1: trace tiny: ", why]);
    }
}

#[test]
fn nothing_follows_a_refused_step() {
    let (refused, after) =
        (r#"{"op":"que.alloc q u","fails":"no free block"}"#, r#"{"op":"que.alloc q v"}"#);
    not_a_trace(
        replay(&[NEW, OBJ, INIT, ALLOC, refused, after]),
        &["step 4: que.alloc q u", "does not end"],
    );
    let uncompiled = r#"{"op":"pool.init p","fails":"does not compile"}"#;
    let summary = replay(&[NEW, r#"{"op":"obj p pool4"}"#, uncompiled, OBJ]).unwrap();
    assert_eq!((summary.steps, summary.refused, summary.differences.len()), (3, 1, 0));
}

#[test]
fn blank_lines_are_skipped_and_counted() {
    let whole = line("2201", &[NEW, OBJ]);
    let blanks = replay_lines(&format!("\n{whole}\n  \n\n{whole}\n\n")).unwrap();
    assert_eq!((blanks.traces, blanks.steps, blanks.differences.len()), (2, 4, 0));
    for broken in [
        "{",
        "[]",
        "{}",
        r#"{"name":"tiny","arch":"2201","steps":7}"#,
        r#"{"name":"tiny","arch":"2201","steps":[]}"#,
    ] {
        not_a_trace(replay_lines(&format!("\n{whole}\n\n{broken}\n")), &["c.jsonl, line 4: "]);
    }
}

#[test]
fn steps_behind_a_refusal_of_the_model_alone_are_counted() {
    let changed = r#"{"op":"pipe.release_event MTE2_V 2","pipe":{"blocks":0,"cursors":{},"events":{"MTE2_V":4},"tscm":524160}}"#;
    let summary = replay(&[NEW, changed, OBJ, INIT, ALLOC]).unwrap();
    assert_eq!((summary.steps, summary.stricter.len(), summary.not_compared), (1, 1, 3));
    assert_eq!(summary.cut_short, 1);
    assert!(summary.to_string().contains("3 steps not compared"), "{summary}");
    let without = replay(&[NEW, OBJ, INIT, ALLOC]).unwrap();
    assert_eq!((without.steps, without.not_compared), (4, 0));
    assert!(!without.to_string().contains("not compared"), "{without}");
}

#[test]
fn a_refused_step_that_changed_nothing_stops_nothing() {
    let unchanged = r#"{"op":"pipe.release_event MTE2_V 2"}"#;
    let summary = replay(&[NEW, unchanged, OBJ, INIT, ALLOC]).unwrap();
    assert_eq!((summary.steps, summary.stricter.len(), summary.not_compared), (4, 1, 0));
    // What differs after it is seen.
    let wrong = ALLOC.replace("\"out\":1", "\"out\":2");
    let summary = replay(&[NEW, unchanged, OBJ, INIT, &wrong]).unwrap();
    assert_eq!((summary.steps, summary.differences.len()), (3, 1), "{summary}");
    // A tensor that only the layer gave out.
    let reset = r#"{"op":"pipe.reset","pipe":{"blocks":0,"cursors":{},"events":{},"tscm":524160}}"#;
    let stale = r#"{"op":"que.alloc q u"}"#;
    let summary =
        replay(&[NEW, OBJ, INIT, reset, stale, OBJ, r#"{"op":"que.free q u"}"#, OBJ]).unwrap();
    assert_eq!((summary.steps, summary.not_compared, summary.cut_short), (5, 2, 1), "{summary}");
    assert!(summary.differences.is_empty(), "{summary}");
}

#[test]
fn both_lock_ids_of_a_record_are_compared() {
    let new = r#"{"op":"pipe.new","flags":["set M MTE1 0","set M MTE1 1","set M MTE1 2"],"pipe":{"blocks":0,"cursors":{},"events":{"M_MTE1":7},"bufIdMask":0,"tscm":524288}}"#;
    let init = |locks: &str| {
        let step = INIT.replace(r#""V_MTE2"]"#, &format!(r#""V_MTE2"{locks}]"#));
        step.replace(
            r#""events":{},"tscm":524160"#,
            r#""events":{"M_MTE1":7},"bufIdMask":0,"tscm":524288"#,
        )
    };
    let replay = |locks: &str| replay_lines(&line("3510_aic", &[new, OBJ, &init(locks)]));
    equal(replay(r#",["bufId",255],["bufIdAlt",255]"#), 3);
    differs(replay(r#",["bufId",255],["bufIdAlt",3]"#), &["c tiny 2", "queue q"]);
    differs(replay(r#",["bufId",3],["bufIdAlt",255]"#), &["c tiny 2", "queue q"]);
    differs(replay(""), &["c tiny 2", "queue q"]);
}
