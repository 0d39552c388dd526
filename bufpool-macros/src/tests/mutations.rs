//! Whatever the arguments are, the attribute gives errors or code, and does not panic.

use proc_macro2::{TokenStream, TokenTree};

const ITEMS: [&str; 4] = [
    "struct MyBufPool;",
    "pub struct Pool<P: PoolPosition, const N: u8 = 4> { tiles: P }",
    "struct Pool(u8);",
    "enum Pool { Tiles }",
];

/// Numbers that look random, the same in each run (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from((self.0 >> 11) % limit as u64).expect("below a usize")
    }

    fn pick<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }
}

fn tokens(text: &str) -> Vec<TokenTree> {
    text.parse::<TokenStream>().expect("test input is Rust").into_iter().collect()
}

/// The forms with a few tokens removed, doubled, swapped or taken from another form.
#[test]
fn forms_with_changes() {
    let lines = include_str!("forms.txt").lines().filter(|line| !line.starts_with('#'));
    let forms: Vec<Vec<TokenTree>> =
        lines.filter_map(|line| Some(tokens(line.split_once(' ')?.1))).collect();
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    for _ in 0..3000 {
        let mut form = random.pick(&forms).clone();
        for _ in 0..random.below(4) {
            let other = random.pick(&forms);
            if form.is_empty() || other.is_empty() {
                break;
            }
            let (at, to) = (random.below(form.len()), random.below(form.len()));
            match random.below(4) {
                0 => drop(form.remove(at)),
                1 => form.insert(at, form[at].clone()),
                2 => form.swap(at, to),
                _ => form[at] = random.pick(other).clone(),
            }
        }
        let args: TokenStream = form.into_iter().collect();
        let item = random.pick(&ITEMS);
        crate::cpp::macro_call(args.clone());
        let output = crate::attribute(args.clone(), item.parse().expect("test input is Rust"));
        // What the user writes in braces goes into the output as it is.
        let is_rust = syn::parse2::<syn::File>(output).is_ok();
        assert!(is_rust || args.to_string().contains('{'), "no Rust for `{args}` on `{item}`");
    }
}

/// As first argument of the C++ macro, which names the class.
#[test]
fn words_that_are_no_names() {
    for word in ["Self", "struct", "crate", "type", "_", "r#type", "16", "\"MyBufPool\""] {
        let output =
            crate::cpp::macro_call(tokens(&format!("{word}, VECCALC, 16")).into_iter().collect());
        assert!(output.to_string().contains("EXTERN_IMPL_BUFPOOL is an attribute here"), "{word}");
    }
}
