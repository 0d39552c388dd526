//! The full text of each kind of error.

use super::{UNIT, errors, one};

#[test]
fn right_arguments() {
    for args in [
        "position = VECCALC, bufid_size = 16",
        "bufid_size = 1, position = C1,",
        "position = TPosition::VECIN, bufid_size = 0x10_u8, state = pool_state",
        "crate = ::other::runtime, position = ::a::b::A1, bufid_size = 255usize",
        "position = VECOUT, bufid_size = BLOCKS",
        "position = B1, bufid_size = crate::sizes::BLOCKS",
        "position = B1, bufid_size = <Shape<u8, 4> as Blocks>::COUNT",
        "position = B1, bufid_size = blocks::<u8, 4>::COUNT",
        "position = B1, bufid_size = { 2 * 8 }",
        "position = B1, bufid_size = Self::BLOCKS",
    ] {
        assert_eq!(errors(args, UNIT), [""; 0], "for `{args}`");
    }
}

#[test]
fn missing() {
    one(
        "",
        "`position` and `bufid_size` are missing
help: write `#[extern_impl_bufpool(position = VECCALC, bufid_size = 16)]`
note: position says which memory the pool manages, bufid_size how many blocks it has at most",
    );
    one(
        "bufid_size = 4",
        "`position` is missing
help: write `#[extern_impl_bufpool(position = VECCALC, bufid_size = 4)]`
note: a pool can only manage UB (VECIN, VECOUT, VECCALC) or L1 (A1, B1, C1)",
    );
    one(
        "position = TPosition::A1",
        "`bufid_size` is missing
help: write `#[extern_impl_bufpool(position = TPosition::A1, bufid_size = 16)]`
note: bufid_size is the number of blocks that the pool has at most, 1 to 255",
    );
}

#[test]
fn unknown_arguments() {
    let note = "note: the arguments are position, bufid_size, state and crate";
    for (word, meant) in [
        ("positon", "position"),
        ("Position", "position"),
        ("pos", "position"),
        ("TPosition", "position"),
    ] {
        one(
            &format!("{word} = VECCALC, bufid_size = 16"),
            &format!("unknown argument `{word}`\nhelp: did you mean `{meant}`?\n{note}"),
        );
    }
    for word in [
        "bufidSize",
        "bufIDSize",
        "buf_id_size",
        "bufid_szie",
        "bufid",
        "size",
        "count",
        "blocks",
        "quota",
    ] {
        one(
            &format!("position = VECCALC, {word} = 16"),
            &format!("unknown argument `{word}`\nhelp: did you mean `bufid_size`?\n{note}"),
        );
    }
    one(
        "position = VECCALC, bufid_size = 16, align = 32",
        &format!("unknown argument `align`\n{note}"),
    );
    one(
        "position = VECCALC, bufid_size = 16, krate = other",
        &format!("unknown argument `krate`\nhelp: did you mean `crate`?\n{note}"),
    );
}

#[test]
fn twice() {
    one("position = VECCALC, bufid_size = 16, position = VECIN", "twice: position");
    one("position = VECCALC, bufid_size = 16, bufid_size = 17", "twice: bufid_size");
    one(
        "crate = a, position = VECCALC, bufid_size = 16, crate = b",
        "`crate` is given twice\nhelp: keep one of the two",
    );
    let thrice = errors("state = a, position = A1, state = b, bufid_size = 1, state = c", UNIT);
    assert_eq!(thrice, ["twice: state", "twice: state"]);
}

const POSITIONS: &str = "a pool can only manage UB (VECIN, VECOUT, VECCALC) or L1 (A1, B1, C1)";

#[track_caller]
fn position(value: &str, text: &str) {
    one(&format!("position = {value}, bufid_size = 16"), text);
}

#[test]
fn positions_of_other_memories() {
    for (name, place) in [
        ("GM", "is global memory"),
        ("CO1", "is in L0C"),
        ("CO2", "is in global memory, or on its way there"),
        ("SPM", "is spill memory"),
        ("SHM", "is another name of SPM, the spill memory"),
        ("TSCM", "is the part of L1 that TPipe hands out from the top"),
        ("C2PIPE2GM", "is in FIXBUF"),
        ("C2PIPE2LOCAL", "is in FIXBUF"),
        ("TPosition::GM", "is global memory"),
    ] {
        position(name, &format!("`{name}` {place}; {POSITIONS}"));
    }
    for (name, place, instead) in
        [("A2", "L0A", "A1"), ("B2", "L0B", "B1"), ("C2", "the bias table", "C1")]
    {
        position(
            name,
            &format!(
                "`{name}` is in {place}; {POSITIONS}\nhelp: write `{instead}` for a pool in L1"
            ),
        );
    }
    position("LCM", "`LCM` is another name of `VECCALC`\nhelp: write `VECCALC`");
}

#[test]
fn positions_misspelt() {
    for (word, meant) in [
        ("VECCLAC", "VECCALC"),
        ("VECCAL", "VECCALC"),
        ("VEC_ING", "VECIN"),
        ("TPosition::VECOT", "VECOUT"),
        ("A3", "A1"),
    ] {
        position(
            word,
            &format!("unknown position `{word}`\nhelp: did you mean `{meant}`?\nnote: {POSITIONS}"),
        );
    }
    for (word, meant) in
        [("veccalc", "VECCALC"), ("VecIn", "VECIN"), ("VEC_OUT", "VECOUT"), ("b1", "B1")]
    {
        position(word, &format!("unknown position `{word}`\nhelp: write `{meant}`"));
    }
    position(
        "[VECIN, VECOUT]",
        "`position` takes one name, found a list\nhelp: write one of them: a pool takes queues of every position in its memory",
    );
    position(
        "TPosition",
        &format!(
            "unknown position `TPosition`\nhelp: did you mean `TPosition::VECCALC`?\nnote: {POSITIONS}"
        ),
    );
    position("SOMEWHERE", &format!("unknown position `SOMEWHERE`\nnote: {POSITIONS}"));
    position(
        "UB",
        &format!(
            "`UB` is a memory, not a position\nhelp: write `VECCALC` for a pool in UB\nnote: {POSITIONS}"
        ),
    );
    position("L0C", &format!("`L0C` is a memory, not a position\nnote: {POSITIONS}"));
}

#[test]
fn positions_that_are_no_names() {
    let any = "write one of VECIN, VECOUT, VECCALC, A1, B1, C1";
    for (value, found, help) in [
        (r#""VECCALC""#, "a string", "write `VECCALC`"),
        (r#""TPosition::VECIN""#, "a string", "write `TPosition::VECIN`"),
        (r#""vecout""#, "a string", "write `VECOUT`"),
        (r#""nothing""#, "a string", any),
        ("3", "a number", any),
        ("{ A1 }", "an expression", "write `A1`"),
        ("(VECIN)", "an expression", "write `VECIN`"),
        ("VECIN | VECOUT", "an expression", any),
        ("-1", "an expression", any),
        ("TPosition.VECCALC", "an expression", "write `VECCALC`"),
        ("TPosition<A1>", "a generic path", "write `A1`"),
        ("Chip<u8>", "a generic path", any),
    ] {
        position(value, &format!("`position` takes a name, found {found}\nhelp: {help}"));
    }
}

#[track_caller]
fn size(value: &str, text: &str) {
    one(&format!("position = VECCALC, bufid_size = {value}"), text);
}

#[test]
fn sizes_out_of_range() {
    let meaning = "bufid_size is the number of blocks that the pool has at most, 1 to 255";
    for zero in ["0", "0x0", "0u8", "0_0"] {
        size(
            zero,
            &format!(
                "a pool needs at least one block, found 0\nhelp: write `bufid_size = 16`\nnote: {meaning}"
            ),
        );
    }
    for (value, shown) in [("256", "256"), ("0x3ff", "1023"), ("99_999_999_999", "99999999999")] {
        size(
            value,
            &format!(
                "{shown} blocks are more than a pool can have\nhelp: write `bufid_size = 16`\nnote: block counts are u8: 1 to 255"
            ),
        );
    }
    for (value, shown) in [("1024", "1024"), ("65536", "65536"), ("0x3_0000usize", "196608")] {
        size(
            value,
            &format!(
                "{shown} looks like bytes, and `bufid_size` counts blocks: 1 to 255\nhelp: write `bufid_size = 16`\nnote: the pool gets its bytes from the pipe: `pipe.init_buf_pool(&mut pool, {shown})`"
            ),
        );
    }
}

#[test]
fn sizes_with_units() {
    for value in ["64KB", "64k", "1MiB", "1024B"] {
        size(
            value,
            &format!(
                "{value} looks like bytes, and `bufid_size` counts blocks: 1 to 255\nhelp: write `bufid_size = 16`\nnote: the pool gets its bytes from the pipe: `pipe.init_buf_pool(&mut pool, bytes)`"
            ),
        );
    }
}

#[test]
fn sizes_that_are_no_counts() {
    for (value, found, help) in [
        ("-1", "-1", "bufid_size = 16"),
        ("1.5", "1.5", "16"),
        (r#""12""#, "a string", "12"),
        (r#""many""#, "a string", "16"),
        (r#""0""#, "a string", "16"),
        (r#"b"16""#, "a string", "16"),
        ("'8'", "a character", "16"),
        ("16u64", "the suffix `u64`", "16"),
        ("8i32", "the suffix `i32`", "8"),
        ("{}", "an empty block", "bufid_size = 16"),
    ] {
        size(value, &format!("block counts are u8: 1 to 255, found {found}\nhelp: write `{help}`"));
    }
    for (value, help) in [
        ("2 * 8", "{ 2 * 8 }"),
        ("blocks()", "{ blocks() }"),
        ("(16)", "16"),
        ("(4 + 4)", "{ 4 + 4 }"),
        ("true", "16"),
        ("size_of::<u64>()", "{ size_of::<u64>() }"),
        ("16 as u8", "{ 16 as u8 }"),
        ("if WIDE { 8 } else { 4 }", "{ if WIDE { 8 } else { 4 } }"),
        ("&16", "16"),
        ("1..16", "16"),
        ("..8", "8"),
        ("[u8; 4]", "4"),
        ("16 blocks", "16"),
        ("8 = 4", "16"),
        ("_", "16"),
    ] {
        size(
            value,
            &format!(
                "`bufid_size` takes a number, a constant, or an expression in braces, found `{value}`\nhelp: write `bufid_size = {help}`"
            ),
        );
    }
    size(
        "u8",
        "`u8` is a type, not a number of blocks\nhelp: write `bufid_size = 16`\nnote: block counts are u8: 1 to 255",
    );
    size(
        "TPosition::A2",
        "`TPosition::A2` is a position, not a number of blocks\nhelp: write `bufid_size = 16`\nnote: block counts are u8: 1 to 255",
    );
}

#[test]
fn state_and_crate() {
    for (value, help) in [
        (r#""inner""#, "inner"),
        (r#""not a name""#, "other"),
        ("type", "other"),
        ("0", "other"),
        ("self.inner", "other"),
    ] {
        one(
            &format!("position = A1, bufid_size = 1, state = {value}"),
            &format!(
                "`state` takes the name of a field, found `{value}`\nhelp: write `state = {help}`"
            ),
        );
    }
    for (value, help) in [
        (r#""a::b""#, "a::b"),
        ("1", "other::bufpool_runtime"),
        ("{ a }", "other::bufpool_runtime"),
    ] {
        one(
            &format!("position = A1, bufid_size = 1, crate = {value}"),
            &format!("`crate` takes a path, found `{value}`\nhelp: write `crate = {help}`"),
        );
    }
    one(
        "position = A1, bufid_size = 1, crate = ::a::b::prelude",
        "`crate` takes the path of the crate, found `::a::b::prelude`\nhelp: write `crate = ::a::b`",
    );
    for (args, field, help) in [
        ("", "bufpool", "pool_state"),
        ("", "r#bufpool", "pool_state"),
        (", state = r#type", "r#type", "pool_state"),
        (", state = pool_state", "pool_state", "state"),
    ] {
        let found = errors(
            &format!("position = A1, bufid_size = 1{args}"),
            &format!("struct MyBufPool {{ {field}: u8 }}"),
        );
        let fault = format!(
            "the struct has a field `{field}` already, and the pool's state needs the name"
        );
        assert_eq!(found, [format!("{fault}\nhelp: write `state = {help}` in the attribute")]);
    }
}

#[test]
fn items() {
    for (item, found) in [
        ("enum E { A }", "an enum"),
        ("pub(crate) union U { a: u8 }", "a union"),
        ("#[doc = \"struct\"] fn f() {}", "a function"),
        ("pub const unsafe extern \"C\" fn f() {}", "a function"),
        ("async fn f() {}", "a function"),
        ("unsafe impl Send for S {}", "an impl block"),
        ("const impl S {}", "an impl block"),
        ("pub unsafe trait T {}", "a trait"),
        ("type T = u8;", "a type alias"),
        ("mod m {}", "a module"),
        ("use a::b;", "an import"),
        ("const C: u8 = 0;", "a constant"),
        ("static S: u8 = 0;", "a static"),
        ("extern crate core;", "an extern crate"),
        ("extern \"C\" {}", "a foreign block"),
        ("macro_rules! m { () => {} }", "a macro"),
        ("let x = 1;", "something else"),
    ] {
        let text = format!(
            "a buffer pool is a unit struct or a struct with named fields, found {found}\nhelp: put the attribute on a struct of its own: `struct MyBufPool;`"
        );
        assert_eq!(errors("position = A1, bufid_size = 1", item), [text], "for `{item}`");
    }
    for item in ["struct S(u8);", "struct S();"] {
        let text = "a buffer pool is a unit struct or a struct with named fields, found a tuple struct\nhelp: give the fields names";
        assert_eq!(errors("position = A1, bufid_size = 1", item), [text], "for `{item}`");
    }
}

#[test]
fn other_attributes() {
    for (derives, verb, help) in [
        ("Clone", "cloned", "`Clone`"),
        ("Default, Clone, Copy", "cloned", "`Clone`, `Copy`"),
        ("PartialEq, Debug, Eq", "compared", "`PartialEq`, `Eq`"),
        ("core::hash::Hash", "hashed", "`Hash`"),
        ("Clone, Hash, Ord", "cloned or hashed or compared", "`Clone`, `Hash`, `Ord`"),
    ] {
        let found =
            errors("position = A1, bufid_size = 1", &format!("#[derive({derives})] struct S;"));
        let fault =
            format!("a pool cannot be {verb}: its state is the record of one piece of memory");
        assert_eq!(found, [format!("{fault}\nhelp: remove {help}")]);
    }
    let found = errors(
        "position = A1, bufid_size = 1",
        "#[bufpool_runtime::extern_impl_bufpool(x)] struct S;",
    );
    assert_eq!(
        found,
        ["the struct has the attribute `extern_impl_bufpool` twice\nhelp: remove one of the two"]
    );
}

#[test]
fn parameters() {
    let of = |position: &str, size: &str, item: &str| {
        errors(&format!("position = {position}, bufid_size = {size}"), item)
    };
    assert_eq!(of("P", "N", "struct S<'a, P: PoolPosition, const N: u8>;"), [""; 0]);
    assert_eq!(
        of("N", "N", "struct S<const N: u8>;"),
        [
            "`N` is a const parameter, not a position\nnote: a position that is a parameter is a type parameter: `P: PoolPosition`"
        ]
    );
    assert_eq!(
        of("P", "P", "struct S<P: PoolPosition>;"),
        [
            "`P` is a type parameter, not a number of blocks\nhelp: make it a const parameter: `const P: u8`"
        ]
    );
    assert_eq!(
        of("A1", "N", "struct S<const N: bool>;"),
        ["`N` is no integer, and so not a number of blocks\nhelp: make it one: `const N: u8`"]
    );
    assert_eq!(
        of("Wher", "1", "struct S<Where: PoolPosition>;"),
        [format!("unknown position `Wher`\nhelp: did you mean `Where`?\nnote: {POSITIONS}")]
    );
    assert_eq!(
        of("A1", "N", "struct S<const N: usize = 256>;"),
        [
            "256 blocks are more than a pool can have\nhelp: write `const N: u8 = 16`\nnote: block counts are u8: 1 to 255"
        ]
    );
}

/// Two mistakes give two errors, in order, whatever they are.
#[test]
fn pairs() {
    let positions = ["VECCLAC", "GM", "LCM", "\"VECCALC\"", "3", "veccalc", "UB"];
    let sizes = ["0", "256", "65536", "-1", "1.5", "\"16\"", "16u64", "2 * 8", "true"];
    for position in positions {
        for size in sizes {
            for args in [
                format!("position = {position}, bufid_size = {size}"),
                format!("bufid_size = {size}, position = {position},"),
            ] {
                assert_eq!(errors(&args, UNIT).len(), 2, "for `{args}`");
            }
        }
    }
}
