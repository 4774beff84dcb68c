//! TypeScript and JavaScript: modules, types and what is handed on.

use gik_graph::EdgeKind;

use super::{calls, edges};

#[test]
fn names_are_imported_renamed_and_handed_on() {
    let found = edges(
        &[
            (
                "src/main.ts",
                "import Def, { a as b, Store } from './lib';\nimport * as ns from './lib/impl.js';\nimport { z } from 'zod';\n\
                 export function main() { b(); ns.a(); new Store().open(); Def(); z.object(); }\n",
            ),
            (
                "src/lib/index.ts",
                "export * from './impl';\nexport { Thing as Store } from './store';\nexport { default } from './def';\n",
            ),
            ("src/lib/impl.ts", "export function a() {}\nfunction hidden() {}\n"),
            (
                "src/lib/store.ts",
                "export class Thing { open() { this.read(); } private read() {} }\n",
            ),
            ("src/lib/def.ts", "function local() {}\nexport default local;\n"),
        ],
        &[EdgeKind::Calls, EdgeKind::Exports],
    );
    assert_eq!(
        found,
        [
            "calls src/lib/store.ts:Thing.open -> src/lib/store.ts:Thing.read (type)",
            "calls src/main.ts:main -> src/lib/def.ts:local (import)",
            "calls src/main.ts:main -> src/lib/impl.ts:a (import)",
            "calls src/main.ts:main -> src/lib/store.ts:Thing (import)",
            "calls src/main.ts:main -> src/lib/store.ts:Thing.open (type)",
            "exports src/lib/index.ts -> src/lib/def.ts (import)",
            "exports src/lib/index.ts -> src/lib/def.ts:local (import)",
            "exports src/lib/index.ts -> src/lib/impl.ts (import)",
            "exports src/lib/index.ts -> src/lib/store.ts (import)",
            "exports src/lib/index.ts -> src/lib/store.ts:Thing (import)",
        ]
    );
}

#[test]
fn settings_and_packages_of_the_workspace_name_modules() {
    let found = edges(
        &[
            (
                "tsconfig.json",
                "{ // paths\n \"compilerOptions\": { \"baseUrl\": \".\", \"paths\": { \"@app/*\": [\"src/*\"], } } }",
            ),
            ("packages/core/package.json", "{\"name\": \"@x/core\", \"main\": \"dist/index.js\"}"),
            ("packages/core/src/index.ts", "export function core() {}\n"),
            ("src/util/text.ts", "export const trim = (s: string) => s;\n"),
            (
                "src/main.ts",
                "import { trim } from '@app/util/text';\nimport { core } from '@x/core';\ntrim(''); core();\n",
            ),
        ],
        &[EdgeKind::Calls],
    );
    assert_eq!(
        found,
        [
            "calls src/main.ts -> packages/core/src/index.ts:core (import)",
            "calls src/main.ts -> src/util/text.ts:trim (import)",
        ]
    );
}

#[test]
fn types_of_fields_parameters_and_returns_are_followed() {
    let text = "interface Reader { read(): Item }\nclass Item { use() {} }\nabstract class Base { shared() {} }\n\
                class App extends Base implements Reader {\n  private items: Item[] = [];\n  constructor(private reader: Reader, plain: Item) { super(); this.go(); plain.use(); }\n  \
                read(): Item { return new Item(); }\n  go() { this.reader.read().use(); this.shared(); super.shared(); for (const item of this.items) { item.use(); } }\n}\n\
                function make(): Promise<App> { return null as any; }\nasync function main(x) { const app = await make(); app.go(); x.go(); }\n";
    assert_eq!(
        edges(&[("a.ts", text)], &[EdgeKind::Calls, EdgeKind::Extends, EdgeKind::Implements]),
        [
            "calls a.ts:App.constructor -> a.ts:App.go (type)",
            "calls a.ts:App.constructor -> a.ts:Item.use (type)",
            "calls a.ts:App.go -> a.ts:Base.shared (type)",
            "calls a.ts:App.go -> a.ts:Item.use (type)",
            "calls a.ts:App.go -> a.ts:Reader.read (type)",
            "calls a.ts:App.read -> a.ts:Item (syntax)",
            "calls a.ts:main -> a.ts:App.go (type)",
            "calls a.ts:main -> a.ts:make (syntax)",
            "extends a.ts:App -> a.ts:Base (syntax)",
            "implements a.ts:App -> a.ts:Reader (syntax)",
        ]
    );
}

#[test]
fn modules_of_the_older_kind_are_required() {
    let found = calls(&[
        (
            "a.js",
            "const { open, shut: close } = require('./b');\nconst b = require('./b');\nconst K = require('./k');\n\
                  function f() { open(); close(); b.open(); new K().m(); }\n",
        ),
        ("b.js", "function open() {}\nfunction shut() {}\nmodule.exports = { open, shut };\n"),
        ("k.js", "class K { m() {} }\nmodule.exports = K;\n"),
    ]);
    assert_eq!(
        found,
        [
            "calls a.js:f -> b.js:open (import)",
            "calls a.js:f -> b.js:shut (import)",
            "calls a.js:f -> k.js:K (import)",
            "calls a.js:f -> k.js:K.m (type)",
        ]
    );
}

#[test]
fn what_is_not_exported_is_not_found_from_elsewhere() {
    let found = calls(&[
        ("a.ts", "import { hidden, shown } from './b';\nhidden(); shown();\n"),
        ("b.ts", "function hidden() {}\nexport function shown() {}\n"),
    ]);
    assert_eq!(found, ["calls a.ts -> b.ts:shown (import)"]);
}
