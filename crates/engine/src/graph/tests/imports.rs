//! What manifests say about the names of modules.

use gik_graph::EdgeKind;

use super::{calls, edges};

#[test]
fn project_references_and_packages_lead_to_sources() {
    let found = calls(&[
        (
            "tsconfig.json",
            "{\"files\": [], \"references\": [{\"path\": \"./core\"}, {\"path\": \"./app\"}]}",
        ),
        (
            "core/tsconfig.json",
            "{\"compilerOptions\": {\"composite\": true, \"rootDir\": \"src\", \"outDir\": \"lib\"}}",
        ),
        ("core/src/index.ts", "export function core() {}\n"),
        ("core/src/deep/part.ts", "export function part() {}\n"),
        ("app/tsconfig.json", "{\"references\": [{\"path\": \"../core\"}]}"),
        (
            "app/src/main.ts",
            "import { core } from '../../core/lib/index';\nimport { part } from '../../core/lib/deep/part.js';\ncore(); part();\n",
        ),
    ]);
    assert_eq!(
        found,
        [
            "calls app/src/main.ts -> core/src/deep/part.ts:part (import)",
            "calls app/src/main.ts -> core/src/index.ts:core (import)",
        ]
    );
}

#[test]
fn exports_and_imports_of_packages_lead_to_sources() {
    let found = calls(&[
        (
            "packages/core/package.json",
            "{\"name\": \"@x/core\", \"exports\": {\".\": {\"import\": \"./dist/index.mjs\"}, \"./feature/*\": {\"node\": \"./dist/features/*.js\"}, \"./hidden\": null}}",
        ),
        ("packages/core/src/index.ts", "export function core() {}\n"),
        ("packages/core/src/features/a.ts", "export function a() {}\n"),
        ("packages/core/src/hidden.ts", "export function hidden() {}\n"),
        (
            "packages/app/package.json",
            "{\"name\": \"app\", \"imports\": {\"#util\": {\"default\": \"./src/util.js\"}, \"#lib/*\": \"./src/lib/*.js\"}}",
        ),
        ("packages/app/src/util.ts", "export function util() {}\n"),
        ("packages/app/src/lib/b.ts", "export function b() {}\n"),
        (
            "packages/app/src/main.ts",
            "import { core } from '@x/core';\nimport { a } from '@x/core/feature/a';\nimport { hidden } from '@x/core/hidden';\nimport { util } from '#util';\nimport { b } from '#lib/b';\ncore(); a(); hidden(); util(); b();\n",
        ),
    ]);
    assert_eq!(
        found,
        [
            "calls packages/app/src/main.ts -> packages/app/src/lib/b.ts:b (import)",
            "calls packages/app/src/main.ts -> packages/app/src/util.ts:util (import)",
            "calls packages/app/src/main.ts -> packages/core/src/features/a.ts:a (import)",
            "calls packages/app/src/main.ts -> packages/core/src/index.ts:core (import)",
        ]
    );
}

#[test]
fn namespaces_of_php_are_folders_where_the_manifest_says_so() {
    let found = edges(
        &[
            (
                "composer.json",
                "{\"autoload\": {\"psr-4\": {\"App\\\\\": \"src/\"}}, \"autoload-dev\": {\"psr-4\": {\"Tests\\\\\": [\"tests\"]}}}",
            ),
            (
                "src/Data/Store.php",
                "<?php\nnamespace App\\Data;\nclass Store { public function open() {} }\n",
            ),
            (
                "old/Store.php",
                "<?php\nnamespace App\\Data;\nclass Store { public function open() {} }\n",
            ),
            ("tests/Base.php", "<?php\nnamespace Tests;\nclass Base { public function go() {} }\n"),
            (
                "tests/StoreTest.php",
                "<?php\nnamespace Tests;\nuse App\\Data\\Store;\nclass StoreTest extends Base {\n  public function testOpen() { $s = new Store(); $s->open(); $this->go(); }\n}\n",
            ),
        ],
        &[EdgeKind::Calls, EdgeKind::Extends],
    );
    assert_eq!(
        found,
        [
            "calls tests/StoreTest.php:Tests\\StoreTest.testOpen -> src/Data/Store.php:App\\Data.Store (import)",
            "calls tests/StoreTest.php:Tests\\StoreTest.testOpen -> src/Data/Store.php:App\\Data\\Store.open (type)",
            "calls tests/StoreTest.php:Tests\\StoreTest.testOpen -> tests/Base.php:Tests\\Base.go (type)",
            "extends tests/StoreTest.php:Tests.StoreTest -> tests/Base.php:Tests.Base (import)",
        ]
    );
}

#[test]
fn constants_of_ruby_are_found_where_a_loader_names_them_by_files() {
    let files = [
        ("app/models/user.rb", "class User\n  def save\n  end\nend\n"),
        (
            "app/services/billing/invoice.rb",
            "module Billing\n  class Invoice\n    def send_it\n    end\n  end\nend\n",
        ),
        (
            "app/controllers/users_controller.rb",
            "class UsersController\n  def create\n    user = User.new\n    user.save\n    Billing::Invoice.new.send_it\n  end\nend\n",
        ),
    ];
    assert_eq!(calls(&files), [""; 0], "nothing says where constants are");
    let mut rails = files.to_vec();
    rails.push(("config/application.rb", "module Shop\n  class Application\n  end\nend\n"));
    assert_eq!(
        calls(&rails),
        [
            "calls app/controllers/users_controller.rb:UsersController.create -> app/models/user.rb:User.save (type)",
            "calls app/controllers/users_controller.rb:UsersController.create -> app/services/billing/invoice.rb:Billing::Invoice.send_it (type)",
        ]
    );
}

#[test]
fn calls_of_prototypes_end_at_the_definition() {
    let found = calls(&[
        (
            "include/store.h",
            "int open_store(const char *path);\nint twice(void);\nint nowhere(void);\n",
        ),
        ("src/store.c", "#include \"store.h\"\nint open_store(const char *path) { return 1; }\n"),
        ("src/a.c", "#include \"store.h\"\nint twice(void) { return 1; }\n"),
        ("src/b.c", "#include \"store.h\"\nint twice(void) { return 2; }\n"),
        (
            "src/main.c",
            "#include \"store.h\"\nint main(void) { open_store(\"a\"); twice(); nowhere(); return 0; }\n",
        ),
        ("other/open.c", "static int open_store(const char *path) { return 3; }\n"),
    ]);
    assert_eq!(
        found,
        [
            "calls src/main.c:main -> include/store.h:nowhere (import)",
            "calls src/main.c:main -> src/a.c:twice (heuristic 1 of 2)",
            "calls src/main.c:main -> src/b.c:twice (heuristic 1 of 2)",
            "calls src/main.c:main -> src/store.c:open_store (import)",
        ]
    );
}

#[test]
fn headers_are_found_where_compilers_look_for_them() {
    let found = edges(
        &[
            (
                "compile_commands.json",
                "[{\"directory\": \".\", \"command\": \"cc -Ivendor/inc -c src/a.c\", \"file\": \"src/a.c\"}]",
            ),
            ("vendor/inc/lib/x.h", "int x(void);\n"),
            ("src/a.c", "#include <lib/x.h>\nint a(void) { return x(); }\n"),
        ],
        &[EdgeKind::Imports],
    );
    assert_eq!(found, ["imports src/a.c -> vendor/inc/lib/x.h (import)"]);
}

#[test]
fn namespaces_of_csharp_reach_across_projects() {
    let found = calls(&[
        ("Core/Core.csproj", "<Project Sdk=\"Microsoft.NET.Sdk\"></Project>"),
        (
            "Core/Store.cs",
            "namespace Shop.Core;\npublic class Store { public static Store Make() { return null; } public void Open() {} }\n",
        ),
        (
            "App/App.csproj",
            "<Project><ItemGroup><ProjectReference Include=\"..\\Core\\Core.csproj\" /></ItemGroup></Project>",
        ),
        (
            "App/Main.cs",
            "using Shop.Core;\nnamespace Shop.App {\n  class Main {\n    void Run() { Store.Make().Open(); Core.Store.Make(); }\n  }\n}\n",
        ),
        (
            "App/Inner.cs",
            "namespace Shop.Core.Inner {\n  class Inner { void Go() { new Store().Open(); } }\n}\n",
        ),
    ]);
    assert_eq!(
        found,
        [
            "calls App/Inner.cs:Shop.Core.Inner.Inner.Go -> Core/Store.cs:Shop.Core.Store (import)",
            "calls App/Inner.cs:Shop.Core.Inner.Inner.Go -> Core/Store.cs:Shop.Core.Store.Open (type)",
            "calls App/Main.cs:Shop.App.Main.Run -> Core/Store.cs:Shop.Core.Store.Make (import)",
            "calls App/Main.cs:Shop.App.Main.Run -> Core/Store.cs:Shop.Core.Store.Open (type)",
        ]
    );
}

#[test]
fn modules_of_a_go_workspace_see_each_other() {
    let found = calls(&[
        ("go.work", "go 1.21\n\nuse (\n\t./api\n\t./lib\n)\n"),
        ("api/go.mod", "module example.com/api\n"),
        (
            "api/main.go",
            "package main\n\nimport \"example.com/lib/text\"\n\nfunc main() { text.Trim() }\n",
        ),
        ("lib/go.mod", "module example.com/lib\n"),
        ("lib/text/text.go", "package text\n\nfunc Trim() {}\n"),
        ("old/lib/go.mod", "module example.com/lib\n"),
        ("old/lib/text/text.go", "package text\n\nfunc Trim() {}\n"),
        ("api/vendored.go", "package main\n\nfunc other() {}\n"),
    ]);
    assert_eq!(found, ["calls api/main.go:main -> lib/text/text.go:Trim (import)"]);
}

#[test]
fn a_package_is_imported_as_the_files_of_it_that_are_used() {
    let found = edges(
        &[
            ("go.mod", "module example.com/a\n"),
            (
                "main.go",
                "package main\n\nimport (\n\t\"example.com/a/store\"\n\t_ \"example.com/a/side\"\n)\n\nfunc main() { store.Open() }\n",
            ),
            ("side/side.go", "package side\n"),
            ("store/open.go", "package store\n\nfunc Open() {}\n"),
            ("store/other.go", "package store\n\nfunc Other() {}\n"),
            ("App.cs", "using Data;\nclass App { void Run() { new Store(); } }\n"),
            ("Store.cs", "namespace Data { public class Store { } }\n"),
            ("Unused.cs", "namespace Data { public class Unused { } }\n"),
        ],
        &[EdgeKind::Imports],
    );
    assert_eq!(
        found,
        ["imports App.cs -> Store.cs (import)", "imports main.go -> store/open.go (import)"]
    );
}
