import type { ParsedMessage } from "@postern/core/mail";
import { isCandidate, recognise } from "@postern/core/bounces";
import { costGrowth } from "@postern/testkit";
import { describe, expect, it } from "vitest";
import { plainText } from "../src/html/plain-text.ts";
import { readMessage } from "../src/read-message.ts";
import { sanitisedHtml } from "../src/html/sanitised-html.ts";

const SMALL = 16_384;

/** Four times the growth of linear work, which may double on a busy machine, and a quarter of the growth of quadratic work. */
const LINEAR = 4;

const times = (text: string) => (size: number) => text.repeat(Math.ceil(size / text.length));

const HTML: Readonly<Record<string, (size: number) => string>> = {
  ...Object.fromEntries(
    [
      ..."<style <style> <!-- <![CDATA[ <script <script> <title> <textarea> <svg> <noscript> <option> <?".split(" "),
      ..."< <br <br> <p> <a> </p> &# &am <table><tr><td> <svg><style> <div><p>".split(" "),
      '<q b="',
      "\n ",
      "<style>@import url(",
    ].map((text) => [text, times(text)]),
  ),
  "imports with spaces": (size) => `<style>${`@import${" ".repeat(size / 10)}`.repeat(10)}`,
  "an attribute of spaces": (size) => `<img src="${" ".repeat(size)}x">`,
  "a picture of spaces": (size) => `<img src="data:image/png;base64,${" ".repeat(size)}!">`,
};

const NOTICE = [
  ...'@|a@b.c |<a@b.c>\r\n|"@|(|<|:| |\t|\r\n|\r\n |a|=|550 |5.1.1 |mail |not |user unknown |delivery |+40|\\x{41}'.split(
    "|",
  ),
  ..."無法 |will |i am |click |this is a copy of |final-recipient: a@b.c\r\n|action: x\r\n|loop |a: b\r\n|\u2028| \u2028".split(
    "|",
  ),
  ...">>> RCPT TO:<a@b.c>\r\n|https://a@b.c|for: |\u00a0".split("|"),
];

const report = (text: string, size: number): ParsedMessage => {
  const long = times(text)(size);
  const field = long.replaceAll(/\s/g, " ");
  const status = `Reporting-MTA: dns;\n a${long}\u2028x\n\nFinal-Recipient: rfc822;${long}a@b.c\nAction: ${long}\nDiagnostic-Code: ${long}\n`;
  const part = (type: string, said: string) => ({ type, text: said, message: null });
  return {
    headers: ["From", "To", "Subject", "References", "Content-Type"].map((name) => [name, field]),
    parts: [
      part("text/plain", long),
      part("message/delivery-status", status),
      part("message/feedback-report", `Version: 1\nFeedback-Type: a\n b${long}\u2028x`),
    ],
  };
};

describe("untrusted text", () => {
  it("takes linear time after a header, where a server should send no text [S9.5-3]", async () => {
    const growth = await costGrowth(1_000, (lines) => {
      const header = Buffer.from(`Subject: x\r\n\r\n${"\n".repeat(lines)}`);
      return () => readMessage({ header, bodies: [], pictures: {} });
    });
    expect(growth).toBeLessThan(LINEAR);
  });

  it.each(Object.entries(HTML))("is sanitised in linear time: %j [S9.5-3]", async (_, make) => {
    const growth = await costGrowth(SMALL, (size) => {
      const html = make(size);
      return () => plainText(sanitisedHtml(html, {}).html);
    });
    expect(growth).toBeLessThan(LINEAR);
  });

  it.each(NOTICE)("is searched for reports in linear time: %j [S9.5-3]", async (text) => {
    const growth = await costGrowth(4_096, (size) => {
      const message = report(text, size);
      return () => {
        isCandidate(message.headers);
        recognise(message);
      };
    });
    expect(growth).toBeLessThan(LINEAR);
  });
});
