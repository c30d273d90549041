import { describe, expect, it } from "vitest";
import { visibleText } from "../src/html/text-of-groups.ts";
import { seenText } from "../src/html/visible-text.ts";

const shown = (html: string) => {
  const { text, hidden } = seenText(`<html><body><p>Before</p>${html}<p>After</p></body></html>`);
  return { text, hidden: Object.fromEntries(hidden) };
};

describe("hidden text", () => {
  it.each([
    ["not_displayed", '<div style="display:none">SECRET</div>'],
    ["not_displayed", "<div hidden>SECRET</div>"],
    [
      "not_displayed",
      '<style>.pre{display:none !important}</style><div class="pre" style="display:block">SECRET</div>',
    ],
    ["not_displayed", "<style>@media screen{div p.x{display:none}}</style><div><p class=x>SECRET</p></div>"],
    ["not_displayed", '<div style="display:none"><b style="display:block">SECRET</b></div>'],
    ["tiny", '<span style="font-size:0px">SECRET</span>'],
    ["tiny", '<span style="font:normal 1px/1 Arial">SECRET</span>'],
    ["same_colour", '<div style="background:#fff"><span style="color:#ffffff">SECRET</span></div>'],
    ["same_colour", '<font color="white">SECRET</font>'],
    ["same_colour", '<table><tr><td bgcolor="#000"><b style="color:rgb(2,2,2)">SECRET</b></td></tr></table>'],
    ["same_colour", '<p style="color:transparent">SECRET</p>'],
    ["off_screen", '<div style="position:absolute;left:-9999px">SECRET</div>'],
    ["off_screen", '<p style="text-indent:-900em">SECRET</p>'],
    ["clipped", '<div style="max-height:0;overflow:hidden">SECRET</div>'],
    ["transparent", '<p style="opacity:0">SECRET</p>'],
    ["invisible", '<p style="visibility:hidden">SECRET</p>'],
    ["comment", "<!-- SECRET -->"],
  ])("is removed and reported: %s, %s [S13.6-1]", (kind, html) => {
    expect(shown(html).text.replaceAll(/\s+/g, " ")).toBe("Before After");
    expect(shown(html).hidden).toEqual({ [kind]: 6 });
  });

  it("reports a picture that tracks, and fetches nothing", () => {
    expect(shown('<img src="https://x.test/p.gif" width="1" height="1">').hidden).toEqual({ tracking_pixel: 0 });
  });

  it("includes a plain alternative whose text differs from the HTML [S13.6-2]", () => {
    expect(visibleText([{ plain: ["Hello there, send money"], source: ["<p>Hello there</p>"] }])).toEqual({
      text: "Hello there",
      hidden: [{ kind: "plain_alternative", characters: 9 }],
    });
  });
});

it("keeps and does not report what people see", () => {
  const seen = shown(
    '<p style="font-size:12px;color:#333;background:#fff">one</p><span style="color:white;background:#003366">two</span>' +
      '<table><tr><td bgcolor="#000000"><font color="#ffffff">three</font></td></tr></table>' +
      '<div style="max-height:400px;opacity:.9">four</div><p style="position:absolute;left:10px">five</p>' +
      '<style>@media (max-width:480px){.wide{display:none}}</style><p class="wide">six</p>' +
      '<div style="visibility:hidden"><b style="visibility:visible">seven</b></div>',
  );
  expect(seen.hidden).toEqual({});
  expect(seen.text.match(/\w+/g)).toEqual(["Before", "one", "twothree", "four", "five", "six", "seven", "After"]);
});

it("writes the address of a link after its words", () => {
  expect(shown('<a href="https://x.test/y?z=1&amp;q=2">here</a>').text).toContain("here https://x.test/y?z=1&q=2");
  expect(shown('<a href="javascript:alert(1)">here</a>').text).not.toContain("javascript");
});

it("ends for deep and unclosed HTML", () => {
  expect(seenText("<div>".repeat(20_000) + "deep").text.length).toBeLessThan(100_000);
  expect(seenText('<style>.a{color:red<p style="').text).toBe("");
});
