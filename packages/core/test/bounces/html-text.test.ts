import { describe, expect, it } from "vitest";
import { htmlText } from "../../src/bounces/html-text.ts";

describe("the visible text of HTML", () => {
  it.each([
    ["one <b>bold</b> word", "one bold word"],
    ["spaces  \n and\tlines", "spaces and lines"],
    ["a<br>b<BR/>c", "a\nb\nc"],
    ["<p>a</p><div>b</div>", "\na\n\nb\n"],
    ["<ul><li>a</li></ul><ol><pre>b</pre></ol>", "\n\na\n\n\n\nb\n\n"],
    ["<h1>a</h1><h2>b</h2><h3>c</h3><h4>d</h4><hr><dt>e", "\na\n\nb\n\nc\n\nd\n\n\ne"],
    ["<table><tr><td>a</td><th>b</th></tr></table>", "\n\n a  b \n\n"],
    ["<span>a</span><brr>b", "ab"],
    ["a<style>p { color: red }</style>b", "ab"],
    ["<head><title>t</title><p>x</p></head>b", "b"],
    ["a<script>if (1 < 2) '</p>'</script>b", "ab"],
    ["a<script>x</style>y</script>b", "ab"],
    ["a</script>b", "ab"],
    ["a<!-- no -->b<?no?>c", "abc"],
    ["1 < 2 and <3", "1 < 2 and <3"],
    ["<a@x.test>", "<a@x.test>"],
    ["a<b", "a<b"],
    ["a<p", "a<p"],
    ["a<p class='x'", "a"],
    ["a<verylongname1>b", "a<verylongname1>b"],
    ["<averylongt>b", "b"],
    ["&lt;bob&#64;x&#x2e;test&gt; &amp; &quot;&apos;&nbsp;", "<bob@x.test> & \"' "],
    ["&auml;&Ouml;&szlig;&eacute;&ntilde;", "äÖßéñ"],
    ["a&shy;b &unknown; &#0;&#1114112;&#x110000;", "ab &unknown; "],
    ["&#1114111;&#1;", "\u{10FFFF}\u0001"],
    ["", ""],
  ])("of %j is %j", (html, text) => expect(htmlText(html)).toBe(text));
});
