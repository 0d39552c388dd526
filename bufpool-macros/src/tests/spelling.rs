//! How tokens are shown, and which words count as near.

use proc_macro2::TokenTree;

use crate::errors::did_you_mean;
use crate::tokens::text;

#[test]
fn tokens_as_written() {
    for written in [
        "TPosition::VECCALC",
        "::a::b",
        "2 * 8",
        "-1",
        "{ N + 1 }",
        "blocks()",
        "size_of::<u64>()",
        "2 * (3 + 4)",
        "\"text\"",
        "'c'",
        "a.b",
        "[0, 1]",
        "max!(1, 2)",
        "&x",
        "x as u8",
    ] {
        let tokens: Vec<TokenTree> =
            written.parse::<proc_macro2::TokenStream>().expect("Rust").into_iter().collect();
        assert_eq!(text(&tokens), written);
    }
}

#[test]
fn near_words() {
    let words = ["position", "bufid_size", "state", "crate"];
    for (word, meant) in [
        ("positon", Some("position")),
        ("psoition", Some("position")),
        ("POSITION", Some("position")),
        ("bufidsize", Some("bufid_size")),
        ("bufsize", Some("bufid_size")),
        ("stat", Some("state")),
        ("align", None),
        ("a", None),
        ("", None),
        ("MyBufPool", None),
        ("bufpool_runtime", None),
    ] {
        assert_eq!(did_you_mean(word, &words), meant, "for {word}");
    }
}
