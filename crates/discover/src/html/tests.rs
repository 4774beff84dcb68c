//! Pages and what is read of them.

use proptest::prelude::*;

use super::*;

fn check(html: &str, expected: &str) {
    assert_eq!(to_text(html).text, expected);
}

#[test]
fn headings_paragraphs_and_inline_marks() {
    check(
        "<h1>Big   <em>title</em><a class=headerlink href=#x>¶</a></h1><h2>§Part</h2><p>One\n two <b>three</b>.\
         <p>Call <code>run_it()</code>, see <a href='http://x'>the docs</a>.<br>Next line.</p>tail",
        "# Big title\n\n## Part\n\nOne two three.\n\nCall `run_it()`, see the docs.\nNext line.\n\ntail",
    );
}

#[test]
fn lists_are_indented_and_numbered() {
    check(
        "<ul><li>a<ul><li>b</li><li>c</ul><li>d</ul><ol start=9><li>nine<li><p>ten</p><p>more</p></ol>",
        "- a\n  - b\n  - c\n- d\n\n9. nine\n10. ten\n\n    more",
    );
    check("<dl><dt>term<dd>meaning<dd>other</dl>", "term\n: meaning\n: other");
}

#[test]
fn code_blocks_keep_their_lines_and_their_language() {
    check(
        "<p>x<pre><code class='hljs language-rust'>fn a() {\n    b &lt; c\n}\n</code></pre><p>y",
        "x\n\n```rust\nfn a() {\n    b < c\n}\n```\n\ny",
    );
    check(
        "<div class='highlight-python notranslate'><div><pre><span></span>a\n```\nb</pre></div></div>",
        "````python\na\n```\nb\n````",
    );
    check("<ul><li>x<pre>a\nb</pre></ul>", "- x\n\n  ```\n  a\n  b\n  ```");
    check("<p>```</p><p>z", "\\```\n\nz");
}

#[test]
fn tables_are_rows_and_layout_tables_are_not() {
    check(
        "<table><caption>C</caption><tr><th>A<th>B|C<tr><td>1<td><p>2</p><p>3</p></table>after",
        "C\n| A | B\\|C |\n| --- | --- |\n| 1 | 2 3 |\n\nafter",
    );
    check(
        "<table><tr><td class=gutter><pre>1\n2</pre></td><td><pre>a\nb</pre></td></table>",
        "```\na\nb\n```",
    );
    check(
        "<table><tr><td><h2>H</h2></td><td><table><tr><td>x<td>y</table></td></table>",
        "## H\n\n| x | y |\n| --- | --- |",
    );
}

#[test]
fn quotes_are_marked_on_every_line() {
    check("<blockquote><p>a</p><p>b<br>c</p></blockquote>d", "> a\n>\n> b\n> c\n\nd");
}

#[test]
fn what_surrounds_the_content_is_left_out() {
    check(
        "<header>Logo</header><nav>Menu</nav><div>Text<script>x</script><style>y</style>\
         <span hidden>no<span>no</span>no</span><i aria-hidden=true>no</i><p style='display : none'>no</p>\
         <form><select><option>no</select></form><svg><title>no</title><path d=1 /></svg>\
         <button>no</button></div><aside>Ad</aside><footer>(c)</footer>",
        "Text",
    );
    check("<ul><li hidden>no<li>yes</ul><p hidden>no<div>also</div>", "- yes\n\nalso");
    check("<div role=navigation>no</div>yes<div role=banner>no</div>", "yes");
}

#[test]
fn marked_content_is_preferred() {
    check("<div>out</div><main><header><h1>T</h1></header>in</main>out", "# T\n\nin");
    check("<div>out</div><div role=main>in</div>out", "in");
    check(
        "<main><header><h1>T</h1><ul><li>Deutsch</ul></header><ul><li>in</ul></main>",
        "# T\n\n- in",
    );
    check("<div>out</div><article>in one</article><article>in two</article>", "in one\nin two");
    check("<main> </main><p>page", "page");
    let long = "words and words ".repeat(20);
    check(
        &format!("<p>{long}</p><article>comment</article>"),
        &format!("{}\n\ncomment", long.trim()),
    );
    check("<form><p>All in a form</p></form>", "All in a form");
}

#[test]
fn the_title_is_that_of_the_page() {
    let titled = to_text("<html><head><title> A &amp;\n B </title></head><body><h1>H</h1>x");
    assert_eq!(titled.title.as_deref(), Some("A & B"));
    assert_eq!(titled.text, "# H\n\nx");
    assert_eq!(
        to_text("<svg><title>no</title></svg><h1>H <i>1</i></h1>").title.as_deref(),
        Some("H 1")
    );
    assert_eq!(to_text("just text"), HtmlText { title: None, text: "just text".to_owned() });
}

#[test]
fn words_stay_searchable() {
    check("<p>snake_case *x* [y] 1. a\u{ad}b&nbsp;c&#8203;d</p>", "snake_case *x* [y] 1. ab cd");
    check("<img alt='A chart'> and <img src=x>", "A chart and");
    check("<p>a<code></code>b<code> c </code>d", "ab`c` d");
}

#[test]
fn broken_nesting_loses_no_text() {
    check("<div><b>a<div>b</b>c</div>d</p></div></div>e", "a\nbc\nd\ne");
    check("<table><tr><td>a</div>b</td></tr></table>", "| ab |\n| --- |");
    check("</li></ul><li>a", "- a");
    check("<h2>a<p>b</h2>c", "## a b\n\nc");
    check("<code><pre>x</pre></code>y", "```\nx\n```\n\ny");
}

#[test]
fn xhtml_elements_close_themselves() {
    check(
        "<?xml version='1.0'?><html><head><script src='x'/></head><body><div/>text</body></html>",
        "text",
    );
}

#[test]
fn hostile_pages_are_read_in_linear_time_and_without_recursion() {
    let many = 50_000;
    for unit in [
        "<div>",
        "<ul><li>",
        "<blockquote>",
        "<table><tr><td>",
        "<b>",
        "<pre>",
        "<svg>",
        "</x>",
        "<h1>",
    ] {
        let read = to_text(&unit.repeat(many));
        assert!(read.text.len() < 64, "{unit}");
    }
    let nested = format!("{}deep{}<p>after", "<div>".repeat(many), "</div>".repeat(many));
    check(&nested, "deep\n\nafter");
    let attributes: String = (0..many).map(|n| format!(" a{n}=1")).collect();
    check(&format!("<p{attributes}>x"), "x");
    check(&format!("x{}", "&".repeat(many)), &format!("x{}", "&".repeat(many)));
    let lines = format!("{}{}", "<ul><li>".repeat(400), "<p>x".repeat(10_000));
    assert!(to_text(&lines).text.len() < 12 * lines.len());
}

proptest! {
    #[test]
    fn any_page_is_read(
        html in "(<|</|>|div|p|li|ul|table|tr|td|pre|code|h1|main|svg|title|script| hidden|=\"|\"|&amp|;|é|a|\n| ){0,80}",
    ) {
        let read = to_text(&html);
        prop_assert_eq!(read.text.trim_end(), &read.text);
    }
}
