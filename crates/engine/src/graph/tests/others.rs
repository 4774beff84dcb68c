//! The other languages: modules and packages, members, types that the text names.

use gik_graph::EdgeKind;

use super::{calls, edges};

#[test]
fn rust_paths_lead_through_modules_crates_and_uses() {
    let found = calls(&[
        ("crates/base/Cargo.toml", "[package]\nname = \"my-base\"\n"),
        ("crates/base/src/lib.rs", "mod fs;\npub use fs::{read, Reader as R};\npub fn top() {}\n"),
        (
            "crates/base/src/fs.rs",
            "pub fn read() {}\npub struct Reader { n: u32 }\nimpl Reader {\n    pub fn new() -> Self { Self { n: 1 } }\n    pub fn go(&self) { self.step(); super::top(); }\n    fn step(&self) {}\n}\n#[cfg(test)]\nmod tests {\n    use super::*;\n    fn t() { read(); Reader::new().go(); }\n}\n",
        ),
        ("crates/app/Cargo.toml", "[package]\nname = \"app\"\n"),
        (
            "crates/app/src/main.rs",
            "mod store;\nuse my_base::{self, read, R};\nuse crate::store::Store as S;\nfn main() {\n    read();\n    my_base::top();\n    let r = R::new();\n    r.go();\n    store::helper();\n    S::open()?.close();\n    std::fs::read();\n}\n",
        ),
        (
            "crates/app/src/store.rs",
            "pub struct Store;\npub trait Closes { fn close(&self) { drop(self); } }\nimpl Closes for Store {}\nimpl Store { pub fn open() -> Result<Store, E> { helper() } }\npub fn helper() {}\n",
        ),
    ]);
    assert_eq!(
        found,
        [
            "calls crates/app/src/main.rs:main -> crates/app/src/store.rs:Closes.close (type)",
            "calls crates/app/src/main.rs:main -> crates/app/src/store.rs:Store.open (import)",
            "calls crates/app/src/main.rs:main -> crates/app/src/store.rs:helper (import)",
            "calls crates/app/src/main.rs:main -> crates/base/src/fs.rs:Reader.go (type)",
            "calls crates/app/src/main.rs:main -> crates/base/src/fs.rs:Reader.new (import)",
            "calls crates/app/src/main.rs:main -> crates/base/src/fs.rs:read (import)",
            "calls crates/app/src/main.rs:main -> crates/base/src/lib.rs:top (import)",
            "calls crates/app/src/store.rs:Store.open -> crates/app/src/store.rs:helper (syntax)",
            "calls crates/base/src/fs.rs:Reader.go -> crates/base/src/fs.rs:Reader.step (type)",
            "calls crates/base/src/fs.rs:Reader.go -> crates/base/src/lib.rs:top (import)",
            "calls crates/base/src/fs.rs:tests.t -> crates/base/src/fs.rs:Reader.go (type)",
            "calls crates/base/src/fs.rs:tests.t -> crates/base/src/fs.rs:Reader.new (syntax)",
            "calls crates/base/src/fs.rs:tests.t -> crates/base/src/fs.rs:read (syntax)",
        ]
    );
}

#[test]
fn go_packages_are_folders_and_methods_belong_to_types_of_other_files() {
    let found = calls(&[
        ("go.mod", "module example.com/app\n\ngo 1.21\n"),
        (
            "main.go",
            "package main\n\nimport (\n\t\"fmt\"\n\t\"example.com/app/store\"\n)\n\nfunc main() {\n\ts := store.New()\n\ts.Open()\n\thelper()\n\tfmt.Println(s)\n}\n",
        ),
        ("helper.go", "package main\n\nfunc helper() {}\n"),
        (
            "store/store.go",
            "package store\n\ntype Store struct{ base Base }\n\nfunc New() (*Store, error) { return &Store{}, nil }\n",
        ),
        (
            "store/open.go",
            "package store\n\ntype Base struct{}\n\nfunc (s *Store) Open() { s.base.Close(); s.sync() }\nfunc (s *Store) sync() {}\nfunc (b Base) Close() {}\n",
        ),
    ]);
    assert_eq!(
        found,
        [
            "calls main.go:main -> helper.go:helper (import)",
            "calls main.go:main -> store/open.go:Store.Open (type)",
            "calls main.go:main -> store/store.go:New (import)",
            "calls store/open.go:Store.Open -> store/open.go:Base.Close (type)",
            "calls store/open.go:Store.Open -> store/open.go:Store.sync (type)",
        ]
    );
}

#[test]
fn java_packages_are_named_by_files() {
    let found = edges(
        &[
            (
                "src/a/Main.java",
                "package a;\n\nimport b.Store;\nimport java.util.List;\n\nclass Main extends Base {\n  private final Store store = new Store();\n  void run(List<String> x) { store.open(); shared(); help(); new Other().go(); x.size(); Store.make().open(); }\n  void help() {}\n}\n",
            ),
            (
                "src/a/Base.java",
                "package a;\n\nclass Base { void shared() {} }\nclass Other { void go() {} }\n",
            ),
            (
                "src/b/Store.java",
                "package b;\n\npublic class Store { public void open() {} public static Store make() { return null; } }\n",
            ),
        ],
        &[EdgeKind::Calls, EdgeKind::Extends],
    );
    assert_eq!(
        found,
        [
            "calls src/a/Main.java:Main.run -> src/a/Base.java:Base.shared (type)",
            "calls src/a/Main.java:Main.run -> src/a/Base.java:Other (import)",
            "calls src/a/Main.java:Main.run -> src/a/Base.java:Other.go (type)",
            "calls src/a/Main.java:Main.run -> src/a/Main.java:Main.help (syntax)",
            "calls src/a/Main.java:Main.run -> src/b/Store.java:Store.make (import)",
            "calls src/a/Main.java:Main.run -> src/b/Store.java:Store.open (type)",
            "calls src/a/Main.java:Main.store -> src/b/Store.java:Store (import)",
            "extends src/a/Main.java:Main -> src/a/Base.java:Base (import)",
        ]
    );
}

#[test]
fn namespaces_of_csharp_and_php_are_found() {
    let found = calls(&[
        (
            "App.cs",
            "using Data;\n\nnamespace App;\n\nclass App {\n  private Store store;\n  void Run() { store.Open(); new Store().Open(); Help(); }\n  void Help() {}\n}\n",
        ),
        ("Store.cs", "namespace Data {\n  public class Store { public void Open() {} }\n}\n"),
        (
            "src/Main.php",
            "<?php\nnamespace App;\n\nuse App\\Data\\Store;\n\nclass Main {\n  public function __construct(private Store $store) {}\n  public function run() { $this->store->open(); $s = new Store(); $s->open(); $this->help(); }\n  private function help() {}\n}\n",
        ),
        (
            "src/Data/Store.php",
            "<?php\nnamespace App\\Data;\n\nclass Store { public function open() {} }\n",
        ),
    ]);
    assert_eq!(
        found,
        [
            "calls App.cs:App.App.Run -> App.cs:App.App.Help (syntax)",
            "calls App.cs:App.App.Run -> Store.cs:Data.Store (import)",
            "calls App.cs:App.App.Run -> Store.cs:Data.Store.Open (type)",
            "calls src/Main.php:App\\Main.run -> src/Data/Store.php:App\\Data.Store (import)",
            "calls src/Main.php:App\\Main.run -> src/Data/Store.php:App\\Data\\Store.open (type)",
            "calls src/Main.php:App\\Main.run -> src/Main.php:App\\Main.help (type)",
        ]
    );
}

#[test]
fn headers_and_required_files_are_looked_into() {
    let found = calls(&[
        (
            "src/main.c",
            "#include <stdio.h>\n#include \"util/text.h\"\n\nint main(void) { trim(0); printf(\"\"); return own(); }\nstatic int own(void) { return 0; }\n",
        ),
        ("include/util/text.h", "#include \"more.h\"\nint trim(int x);\n"),
        ("include/util/more.h", "int more(void);\n"),
        (
            "lib/app.rb",
            "require 'app/store'\n\nclass App < Base\n  def run\n    store = Store.new\n    store.open\n    help()\n  end\n\n  def help; end\nend\n",
        ),
        ("lib/app/store.rb", "class Store\n  def open; end\nend\n"),
    ]);
    assert_eq!(
        found,
        [
            "calls lib/app.rb:App.run -> lib/app.rb:App.help (syntax)",
            "calls lib/app.rb:App.run -> lib/app/store.rb:Store.open (type)",
            "calls src/main.c:main -> include/util/text.h:trim (import)",
            "calls src/main.c:main -> src/main.c:own (syntax)",
        ]
    );
}
