//! Arguments in other forms than `name = value`: one error for each, with the right form.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use super::{UNIT, errors, one};

#[test]
fn signs() {
    one(
        "position VECCALC, bufid_size = 16",
        "`=` is missing after `position`\nhelp: write `position = VECCALC`",
    );
    for (sign, shown) in [(":", "`:`"), ("==", "`==`"), ("=>", "`=>`"), (":=", "`:=`")] {
        one(
            &format!("position = VECCALC, bufid_size {sign} 16"),
            &format!(
                "`=` is expected after `bufid_size`, found {shown}\nhelp: write `bufid_size = 16`"
            ),
        );
    }
    one(
        "positon(TPosition::A1), bufid_size = 16",
        "`=` is expected after `positon`, found parentheses\nhelp: write `position = TPosition::A1`",
    );
    one("position, bufid_size = 16", "`position` has no value\nhelp: write `position = VECCALC`");
    one(
        "position = VECCALC, bufid_size =",
        "`bufid_size =` has no value\nhelp: write `bufid_size = 16`",
    );
    one(
        "position = VECCALC bufid_size = 16",
        "`,` is missing before `bufid_size`\nhelp: write `position = VECCALC, bufid_size = 16`",
    );
    one(
        "position = VECCALC; bufid_size = 16",
        "arguments are separated by `,`, found `;`\nhelp: write `,`",
    );
    for args in ["position = VECCALC,, bufid_size = 16", ", position = VECCALC, bufid_size = 16"] {
        one(args, "there is no argument before this `,`\nhelp: remove it");
    }
}

#[test]
fn without_names() {
    for (args, position, size) in [
        ("MyBufPool, TPosition::VECCALC, 16", "TPosition::VECCALC", "16"),
        ("MyBufPool, VECIN, BLOCKS", "VECIN", "BLOCKS"),
        ("A1, 4", "A1", "4"),
        ("4, A1", "A1", "4"),
        ("VECOUT", "VECOUT", "16"),
        ("12", "VECCALC", "12"),
        ("MyBufPool", "VECCALC", "16"),
    ] {
        let form = format!("#[extern_impl_bufpool(position = {position}, bufid_size = {size})]");
        one(args, &format!("the arguments need their names\nhelp: write `{form}`"));
    }
    one(
        r#""TPosition::VECIN", 16"#,
        "the arguments need their names\nhelp: write `#[extern_impl_bufpool(position = TPosition::VECIN, bufid_size = 16)]`",
    );
    one(
        "position = VECIN, VECOUT, bufid_size = 16",
        "`VECOUT` is a second position, and a pool has one\nhelp: remove it: a pool takes queues of every position in its memory",
    );
    one("VECCALC, bufid_size = 16", "`VECCALC` has no name\nhelp: write `position = VECCALC`");
    one("position = VECCALC, BLOCKS", "`BLOCKS` has no name\nhelp: write `bufid_size = BLOCKS`");
    one(
        "MyBufPool, position = VECCALC, bufid_size = 16",
        "`MyBufPool` has no name\nhelp: remove it: the struct below is the pool",
    );
    one(
        "position = 16, bufid_size = VECCALC",
        "the values of `position` and `bufid_size` are swapped\nhelp: write `position = VECCALC, bufid_size = 16`",
    );
}

#[test]
fn other_forms() {
    let position = "help: write `position = VECCALC`";
    for (args, text) in [
        (
            "position: TPosition = VECCALC, bufid_size = 16",
            format!("`=` is expected after `position`, found `:`\n{position}"),
        ),
        (
            "position -> VECCALC, bufid_size = 16",
            format!("`=` is expected after `position`, found `->`\n{position}"),
        ),
        (
            "pub position = VECCALC, bufid_size = 16",
            format!("`pub` has no place before `position`\n{position}"),
        ),
        (
            "let mut position: TPosition = VECCALC, bufid_size = 16",
            format!("`let mut` has no place before `position`\n{position}"),
        ),
        (
            "\"position\" = VECCALC, bufid_size = 16",
            format!("`position` is a name, not a string\n{position}"),
        ),
        (
            "position = VECCALC, size: 16",
            "`=` is expected after `size`, found `:`\nhelp: write `bufid_size = 16`".to_owned(),
        ),
        (
            "position = VECCALC, 16 blocks",
            "`16 blocks` has no name\nhelp: write `bufid_size = 16`".to_owned(),
        ),
    ] {
        one(args, &text);
    }
    for (sign, found) in [("&&", "&&"), ("|", "|"), ("and", "and"), ("+", "+")] {
        one(
            &format!("position = VECCALC {sign} bufid_size = 16"),
            &format!(
                "`,` is expected before `bufid_size`, found `{found}`\nhelp: write `position = VECCALC, bufid_size = 16`"
            ),
        );
    }
    for args in [
        "<VECCALC, 16>",
        "MyBufPool<VECCALC, 16>",
        "{ position = VECCALC, bufid_size = 16 }",
        "MyBufPool { position = VECCALC, bufid_size = 16 }",
        "#[position = VECCALC], #[bufid_size = 16]",
        "VECCALC: position, 16: bufid_size",
    ] {
        one(
            args,
            "the arguments need their names\nhelp: write `#[extern_impl_bufpool(position = VECCALC, bufid_size = 16)]`",
        );
    }
    for (junk, help) in
        [("class = MyBufPool", ": the struct below is the pool"), ("no_default", "")]
    {
        let fault = if junk.contains('=') {
            "unknown argument `class`"
        } else {
            "`no_default` has no name"
        };
        let note = "\nnote: the arguments are position, bufid_size, state and crate";
        one(
            &format!("position = VECCALC, bufid_size = 16, {junk}"),
            &format!("{fault}\nhelp: remove it{help}{}", if help.is_empty() { "" } else { note }),
        );
    }
}

/// What people may write, with the number of mistakes in it. Each mistake is one error, and a help
/// that says what to write is right: written, it has no mistake.
#[test]
fn helps_can_be_pasted() {
    let mut helps = 0;
    for line in include_str!("forms.txt").lines().filter(|line| !line.starts_with('#')) {
        let (mistakes, form) = line.split_once(' ').expect("a number and a form");
        let found = errors(form, UNIT);
        assert_eq!(found.len().to_string(), mistakes, "mistakes in `{form}`: {found:#?}");
        for text in found {
            if let Some(pasted) = pasted(&text) {
                assert_eq!(errors(&pasted, UNIT), [""; 0], "for `{form}`, after {text}");
                helps += 1;
            }
        }
    }
    assert!(helps > 200, "only {helps} helps looked at");
}

/// What `macro_rules!` has captured is in a group without delimiters.
#[test]
fn a_captured_expression_without_a_name() {
    let captured = Group::new(Delimiter::None, "2 * 6".parse().expect("an expression"));
    let mut args: TokenStream = "MyBufPool, A1,".parse().expect("test input is Rust");
    args.extend([TokenTree::Group(captured)]);
    let output = crate::attribute(args, UNIT.parse().expect("test input is Rust")).to_string();
    let help = "write `#[extern_impl_bufpool(position = A1, bufid_size = { 2 * 6 })]`";
    assert!(output.contains(help), "{output}");
}

/// The arguments once the help is followed, if it says what to write.
fn pasted(text: &str) -> Option<String> {
    let write = text.split("\nhelp: write `").nth(1)?.split('`').next()?;
    if let Some(all) = write.strip_prefix("#[extern_impl_bufpool(") {
        return Some(all.strip_suffix(")]").expect("an attribute").to_owned());
    }
    let is_position = text.starts_with("`position` takes") || text.contains("position `");
    Some(if write.starts_with("position = ") && write.contains("bufid_size = ") {
        write.to_owned()
    } else if write.starts_with("position = ") {
        format!("{write}, bufid_size = 16")
    } else if write.starts_with("bufid_size = ") {
        format!("position = VECCALC, {write}")
    } else if write.contains(" = ") {
        format!("position = VECCALC, bufid_size = 16, {write}")
    } else if is_position {
        format!("position = {write}, bufid_size = 16")
    } else if text.starts_with("block counts") {
        format!("position = VECCALC, bufid_size = {write}")
    } else {
        return None;
    })
}
