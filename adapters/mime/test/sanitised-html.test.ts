import { hostileHtml, hostileSheets } from "@postern/testkit";
import { describe, expect, it } from "vitest";
import { sanitisedHtml } from "../src/html/sanitised-html.ts";

const REMOTE = "http://tracker.test";

/** Returns the tags, without text between them and without the URLs of links. */
const markup = (html: string): string => (html.match(/<[^>]*>/g) ?? []).join("\n");

describe("sanitised HTML", () => {
  it.each(hostileHtml(REMOTE).map((html, n) => [n, html] as const))(
    "runs and fetches nothing (%i) [S9.5-5]",
    (_, html) => {
      const shown = markup(sanitisedHtml(html, {}).html);
      expect(shown).not.toMatch(/<(script|iframe|object|embed|form|input|svg|math|link|meta|base|video|template)/i);
      expect(shown).not.toMatch(/\son\w+\s*=/i);
      expect(shown).not.toMatch(/(javascript|vbscript|data:text|data:image\/svg)/i);
      expect(shown).not.toMatch(/\s(src|srcset|background|poster|href)="(?!https?:|mailto:|tel:|data:image)/i);
      expect(shown.replaceAll(/data-remote-src="[^"]*"/g, "")).not.toContain("tracker.test");
      expect(shown).not.toMatch(/(url|expression|image-set)\s*\(|position\s*:|\/\*|\\/i);
    },
  );

  it.each(hostileSheets(REMOTE).map((sheet, n) => [n, sheet] as const))(
    "keeps nothing of a hostile style sheet but formatting (%i)",
    (_, sheet) => {
      const mail = `<style>${sheet}</style><style>.late{color:rgb(2,3,4)}</style><p class="calm">x</p>`;
      const [, kept = "", rest] = /^<style>([^<]*)<\/style>(.*)$/s.exec(sanitisedHtml(mail, {}).html)!;
      expect(rest).toBe('<p class="calm">x</p>');
      expect(kept).not.toMatch(
        /tracker|\(\s*["']|@(?!media all\{)|[\\<>]|\/\*|(?:^|[{;])\s*(?:position|behavior|-moz|--)/i,
      );
      expect(kept).toContain(".late{color:rgb(2,3,4)}");
    },
  );

  it("keeps the rules of a newsletter's style sheets that format text and adapt it to the screen", () => {
    const sheets = [
      ".mast{background-color:#0a5c36;color:#fff}",
      "td.cell, a > b{border-left:7px solid rgb(200,10,20)}",
      "@media only screen and (max-width:480px){.mast{background-color:#7a1f5c!important}\n.image{width:100%!important}}",
      `td[class="two cells"]{font-family:'Open Sans',Arial}`,
      "p:nth-child(2n+1):hover{margin:0 auto}",
    ];
    const mail = `<!--[if mso]><style>p{color:red}</style><![endif]--><style type="text/css"><!--\n${sheets.join("\n")}\n--></style>`;
    expect(sanitisedHtml(`${mail}<p>x</p>`, {}).html).toBe(`<style>${sheets.join("\n")}</style><p>x</p>`);
    const media = '<style media="print">p{color:red}</style><style media="x{y">p{margin:0}</style>';
    expect(sanitisedHtml(media, {}).html).toBe("<style>@media print{p{color:red}}</style>");
  });

  it("counts removed remote references and keeps the URLs of pictures", () => {
    const { html, blocked } = sanitisedHtml(
      `<img src="${REMOTE}/a.png"><p style="background:url(${REMOTE}/b.png);color:red">x</p><link href="${REMOTE}/c.css">` +
        `<style>@import "${REMOTE}/d.css";</style><td background="${REMOTE}/e.png">y</td>`,
      {},
    );
    expect(blocked).toBe(5);
    expect(html).toBe(`<img data-remote-src="${REMOTE}/a.png" /><p style="color:red">x</p><td>y</td>`);
  });

  it("shows pictures of the message itself", () => {
    const pictures = { "a@x": "/api/messages/i/attachments/2", "b c": "/api/messages/i/attachments/3" };
    const { html, blocked } = sanitisedHtml(
      '<img src="cid:a@x"><img src="CID:b%20c"><img src="cid:toString">',
      pictures,
    );
    expect(html).toBe('<img src="/api/messages/i/attachments/2" /><img src="/api/messages/i/attachments/3" /><img />');
    expect(blocked).toBe(0);
  });

  it("shows HTML that nests too deep as text", () => {
    const { html } = sanitisedHtml(`${"<div>".repeat(20_000)}x<img src="${REMOTE}/a.png">`, {});
    expect(markup(html)).toBe('<div style="white-space:pre-wrap">\n</div>');
    expect(sanitisedHtml("<b>".repeat(5_000), {}).html).toContain("<b><b>");
  });

  it("keeps the formatting of a letter", () => {
    const letter =
      '<table width="600" bgcolor="#fff"><tr><td align="center" style="padding:4px 8px;font-family:Arial, sans-serif;' +
      'color:rgb(1, 2, 3)"><h1>Hi</h1><a href="https://ok.test/?a=1&amp;b=2">link</a> <b>bold</b></td></tr></table>';
    const { html } = sanitisedHtml(letter, {});
    expect(html.replaceAll(/ (target|rel)="[^"]*"/g, "")).toBe(letter);
    expect(html).toContain('target="_blank" rel="noopener noreferrer nofollow"');
  });
});
