//! Every path in every expansion starts at the runtime or at `::core`.
//!
//! What the user wrote is the user's, and a few names are made by the output itself; all else
//! that has no root could be something of the user's by accident.

use syn::visit::{self, Visit};
use syn::{Attribute, Expr, Macro, Path};

use super::expand;

/// Arguments and item of pools that between them make every kind of output.
const POOLS: [(&str, &str); 22] = [
    ("position = VECCALC, bufid_size = 16", "struct Pool;"),
    ("position = TPosition::A1, bufid_size = 1", "pub(crate) struct Pool { tiles: Tiles }"),
    ("position = VECIN, bufid_size = 255", "#[derive(Default)] struct Pool;"),
    ("position = VECIN, bufid_size = BLOCKS", "struct Pool;"),
    ("position = VECIN, bufid_size = { BLOCKS * 2 }", "struct Pool<'a> { tiles: &'a Tiles }"),
    ("position = VECIN, bufid_size = Self::BLOCKS", "struct Pool;"),
    ("position = VECIN, bufid_size = N", "struct Pool<const N: Count>;"),
    ("position = VECIN, bufid_size = N", "struct Pool<const N: ::core::primitive::usize>;"),
    ("position = P, bufid_size = 200", "struct Pool<P: PoolPosition>;"),
    (
        "position = P, bufid_size = N, state = r#type",
        "struct Pool<'a, P: PoolPosition, const N: Count = 4> where Tiles: Tiled { tiles: &'a Tiles }",
    ),
    ("position = C1, bufid_size = 8", "#[deprecated] pub struct Pool;"),
    // With mistakes.
    ("", "struct Pool;"),
    ("position = VECCLAC, bufid_size = 0", "struct Pool;"),
    ("position = VECIN, bufid_size = 0", "#[derive(Default)] struct Pool { tiles: Tiles }"),
    ("position = VECIN, bufid_size = BLOCKS, stat = x", "struct Pool;"),
    ("position = P, bufid_size = 0", "struct Pool<P>;"),
    ("position = P, bufid_size = N, position = P", "struct Pool<P, const N: Count>;"),
    ("position = VECIN, bufid_size = 1", "struct Pool { bufpool: Tiles }"),
    ("position = VECIN, bufid_size = 1", "struct Pool(Tiles);"),
    ("position = VECIN, bufid_size = 1", "enum Pool { Tiles }"),
    ("position = VECIN, bufid_size = 1", "union Pool { tiles: Tiles }"),
    ("position = VECIN, bufid_size = 1", "#[derive(Clone)] struct Pool;"),
];

/// Names in the inputs above, which belong to the user.
const USERS: [&str; 8] = ["Pool", "Tiles", "Tiled", "BLOCKS", "Count", "PoolPosition", "P", "N"];

/// Names that the output makes and uses: locals, and items inside of its own block.
const OWN: [&str; 8] = [
    "self",
    "Self",
    "block_index",
    "addr_in_memory",
    "blocks_in_use",
    "__BUFPOOL_BLOCKS",
    "MORE_THAN_16_BLOCKS",
    "Arguments",
];

/// Attributes of the language, whose names nobody can take.
const ATTRIBUTES: [&str; 7] =
    ["doc", "inline", "must_use", "track_caller", "allow", "deprecated", "derive"];

struct Walk {
    strangers: Vec<String>,
    paths: usize,
}

impl Walk {
    fn path(&mut self, path: &Path) {
        self.paths += 1;
        let first = path.segments[0].ident.to_string();
        let rooted =
            path.leading_colon.is_some() && (first == "core" || first == "bufpool_runtime");
        let known = path.leading_colon.is_none()
            && (USERS.contains(&first.as_str()) || OWN.contains(&first.as_str()));
        if !rooted && !known {
            let names: Vec<String> =
                path.segments.iter().map(|segment| segment.ident.to_string()).collect();
            self.strangers.push(names.join("::"));
        }
    }
}

impl<'ast> Visit<'ast> for Walk {
    fn visit_path(&mut self, path: &'ast Path) {
        self.path(path);
        visit::visit_path(self, path);
    }

    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        let known = attribute
            .path()
            .get_ident()
            .is_some_and(|name| ATTRIBUTES.contains(&name.to_string().as_str()));
        if !known {
            self.strangers.push("an attribute".to_owned());
        }
    }

    fn visit_macro(&mut self, found: &'ast Macro) {
        self.path(&found.path);
        if let Ok(arguments) = found
            .parse_body_with(syn::punctuated::Punctuated::<Expr, syn::Token![,]>::parse_terminated)
        {
            arguments.iter().for_each(|argument| self.visit_expr(argument));
        }
    }

    fn visit_expr(&mut self, expr: &'ast Expr) {
        // Of what the compiler finds by a dot, some could be a trait's of the user's.
        if let Expr::MethodCall(call) = expr {
            self.strangers.push(format!(".{}()", call.method));
        }
        visit::visit_expr(self, expr);
    }

    /// The user's own, copied.
    fn visit_visibility(&mut self, _: &'ast syn::Visibility) {}

    fn visit_item_use(&mut self, _: &'ast syn::ItemUse) {
        self.strangers.push("use".to_owned());
    }

    fn visit_expr_unsafe(&mut self, _: &'ast syn::ExprUnsafe) {
        self.strangers.push("unsafe".to_owned());
    }
}

#[test]
fn every_path_has_a_root() {
    for (args, item) in POOLS {
        let output = expand(args, item);
        let file: syn::File =
            syn::parse2(output.clone()).unwrap_or_else(|error| panic!("{error} in {output}"));
        let mut walk = Walk { strangers: Vec::new(), paths: 0 };
        walk.visit_file(&file);
        assert_eq!(walk.strangers, [""; 0], "for `{args}` on `{item}`");
        assert!(walk.paths > 8, "only {} paths for `{args}` on `{item}`", walk.paths);
    }
}

#[test]
fn every_path_of_the_macro_of_cpp_has_a_root() {
    for args in ["Pool, TPosition::VECCALC, 16", "Pool, A2, BLOCKS", "", "Pool<T>, 1 << 4"] {
        let output = crate::cpp::macro_call(args.parse().expect("test input is Rust"));
        let file: syn::File =
            syn::parse2(output.clone()).unwrap_or_else(|error| panic!("{error} in {output}"));
        let mut walk = Walk { strangers: Vec::new(), paths: 0 };
        walk.visit_file(&file);
        walk.strangers.retain(|name| name != "MyBufPool");
        assert_eq!(walk.strangers, [""; 0], "for `{args}`");
    }
}

/// The members are a macro of the runtime, and so in none of the outputs above.
#[test]
fn every_path_of_the_members_has_a_root() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../bufpool-runtime/src/custom_pool.rs");
    let source = std::fs::read_to_string(path).expect("the runtime is next to this crate");
    let macro_of = source.split("{\n    ($vis:vis, $($head:tt)*) => {").nth(1).expect("the macro");
    let body = macro_of.split("\n    };\n}").next().expect("its end");
    let text = body
        .replace("$($head)*", "impl Pool")
        .replace("$vis", "pub")
        .replace("$crate", "::bufpool_runtime");
    let file: syn::File = syn::parse_str(&text).expect("an impl block");
    let mut walk = Walk { strangers: Vec::new(), paths: 0 };
    walk.visit_file(&file);
    assert_eq!(walk.strangers, [""; 0]);
    assert!(walk.paths > 20, "only {} paths", walk.paths);
}

/// The walk does find what it looks for.
#[test]
fn the_walk_finds_strangers() {
    let file: syn::File = syn::parse_quote! {
        impl Default for Pool {
            #[inlined]
            fn default() -> core::option::Option<u8> {
                use a::b;
                self.tiles.clone();
                println!("{}", ::std::mem::size_of::<::core::primitive::u8>());
                ::other::f()
            }
        }
    };
    let mut walk = Walk { strangers: Vec::new(), paths: 0 };
    walk.visit_file(&file);
    let expected = [
        "Default",
        "an attribute",
        "core::option::Option",
        "u8",
        "use",
        ".clone()",
        "println",
        "std::mem::size_of",
        "other::f",
    ];
    assert_eq!(walk.strangers, expected);
}

/// The user's own attributes, visibility and generics come out as they went in.
#[test]
fn the_struct_is_kept() {
    let output = expand(
        "position = VECCALC, bufid_size = 16",
        "/// Docs.\n#[repr(C)] #[custom(x = 1)] pub(in a::b) struct Pool<'a, T: 'a + Trait = u8, const N: usize = 3> where T: Copy { /// Field.\n #[cfg(test)] pub tiles: [&'a T; N] }",
    );
    let file: syn::File = syn::parse2(output).expect("a file");
    let syn::Item::Struct(found) = &file.items[0] else {
        panic!("the struct comes first");
    };
    let expected: syn::ItemStruct = syn::parse_quote! {
        #[doc = " Docs."]
        #[repr(C)]
        #[custom(x = 1)]
        pub(in a::b) struct Pool<'a, T: 'a + Trait = u8, const N: usize = 3>
        where
            T: Copy
        {
            #[doc = " Field."]
            #[cfg(test)]
            pub tiles: [&'a T; N],
            bufpool: ::bufpool_runtime::__private::PoolState
        }
    };
    assert_eq!(quote::quote!(#found).to_string(), quote::quote!(#expected).to_string());
    assert_eq!(file.items.len(), 3, "the struct, its members and the trait");
}
