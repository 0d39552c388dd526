//! Arguments in other forms than `name = value`: one error for each, with the right form.

use super::one;

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
