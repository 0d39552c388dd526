//! Finding the runtime's name in a manifest.

use crate::manifest::entries;
use crate::runtime_crate::find;

fn name(manifest: &str) -> String {
    find(manifest, || std::iter::once(manifest.to_owned()))
}

#[test]
fn not_renamed() {
    for manifest in [
        "",
        "not = toml = at all [[",
        "[dependencies]\nbufpool-runtime = \"0.1\"",
        "[dependencies]\nbufpool-runtime = { version = \"0.1\" }",
        "[dependencies.bufpool-runtime]\npath = \"..\"",
        "[dev-dependencies]\nbufpool-runtime.workspace = true",
        "[dependencies]\nother = { package = \"other-runtime\" }",
        // A renamed one as well: both work, and the plain name is the one that people expect.
        "[dependencies]\nold = { package = \"bufpool-runtime\", version = \"0.1\" }\nbufpool-runtime = \"0.2\"",
        // Not a dependency of the code that is compiled.
        "[build-dependencies]\nrt = { package = \"bufpool-runtime\" }",
        "[package]\nname = \"bufpool-runtime\"",
        // In a comment, and in a string.
        "[dependencies]\n# rt = { package = \"bufpool-runtime\" }",
        "[package]\ndescription = \"\"\"\n[dependencies]\nrt = { package = 'bufpool-runtime' }\n\"\"\"",
    ] {
        assert_eq!(name(manifest), "bufpool_runtime", "for {manifest}");
    }
}

#[test]
fn renamed() {
    for manifest in [
        "[dependencies]\nrt = { package = \"bufpool-runtime\", version = \"0.1\" }",
        "[dependencies]\nrt={version=\"0.1\",package='bufpool-runtime'}",
        "[dependencies] # all\nrt = { features = [\n \"a\", # one\n \"b\"\n], package = \"bufpool-runtime\" } # two",
        "[dependencies.rt]\nversion = \"0.1\"\npackage = \"bufpool-runtime\"",
        "[dependencies.\"rt\"]\npackage = \"bufpool-runtime\"",
        "[dependencies]\nrt.package = \"bufpool-runtime\"\nrt.version = \"0.1\"",
        "dependencies.rt.package = \"bufpool-runtime\"",
        "dependencies = { rt = { package = \"bufpool-runtime\" } }",
        "[dev-dependencies]\nrt = { package = \"bufpool-runtime\" }",
        "[target.'cfg(unix)'.dependencies]\nrt = { package = \"bufpool-runtime\" }",
        "[target.\"cfg(target_os = \\\"linux\\\")\".dev-dependencies.rt]\npackage = \"bufpool-runtime\"",
        "[[bin]]\nname = \"x\"\n[dependencies]\nrt = { package = \"bufpool-runtime\" }",
        "[dependencies]\r\nrt = { package = \"bufpool-runtime\" }\r\n",
        // Another package has taken our name.
        "[dependencies]\nbufpool-runtime = { package = \"fork\" }\nrt = { package = \"bufpool-runtime\" }",
        "[dependencies]\nrt.workspace = true\n[workspace.dependencies]\nrt = { package = \"bufpool-runtime\" }",
        "[dependencies]\nrt = { workspace = true }\n[workspace.dependencies.rt]\npackage = \"bufpool-runtime\"",
    ] {
        assert_eq!(name(manifest), "rt", "for {manifest}");
    }
    assert_eq!(name("[dependencies]\nbuf-rt = { package = \"bufpool-runtime\" }"), "buf_rt");
}

/// An inherited dependency is looked up in the nearest manifest that is a workspace.
#[test]
fn inherited() {
    let member = "[dependencies]\nrt = { workspace = true }";
    let around = |manifests: &[&str]| {
        let all = || std::iter::once(&member).chain(manifests).map(|text| (*text).to_owned());
        find(member, all)
    };
    let root = "[workspace]\nmembers = []\n[workspace.dependencies]\nrt = { package = \"bufpool-runtime\" }";
    let stranger = "[workspace]\nmembers = []\n[workspace.dependencies]\nrt = \"1\"";
    assert_eq!(around(&[]), "bufpool_runtime");
    assert_eq!(around(&[root]), "rt");
    assert_eq!(around(&["[package]\nname = \"between\"", root]), "rt");
    assert_eq!(around(&[stranger, root]), "bufpool_runtime");
}

#[test]
fn values() {
    let text = r#"
a = 1 # one
b.c = "x \" y"
[t."u v".w]
d = [ { p = 1 }, [ "]", '}' ], ] # list
e = { f = true, g = { h = 'i' } }
k = """
l = 'm' ""n"""
o = ''
"#;
    let found = entries(text);
    let shown: Vec<(String, &str)> =
        found.iter().map(|(path, value)| (path.join("/"), value.as_str())).collect();
    let expected = [
        ("a", "1"),
        ("b/c", "x \\\" y"),
        ("t/u v/w/d", ""),
        ("t/u v/w/e/f", "true"),
        ("t/u v/w/e/g/h", "i"),
        ("t/u v/w/k", "\nl = 'm' \"\"n"),
        ("t/u v/w/o", ""),
    ];
    assert_eq!(shown, expected.map(|(path, value)| (path.to_owned(), value)));
}

/// No input makes the reader stand still or panic.
#[test]
fn broken() {
    let text = "[dependencies]\nrt = { package = \"bufpool-runtime\", features = ['é', \"\\é\"] } # ü\né = 'ö'\nb = \"\"\"y\"\"\"";
    for (from, _) in text.char_indices() {
        for (to, _) in text.char_indices().skip_while(|(to, _)| *to < from) {
            entries(&text[from..to]);
        }
    }
}
