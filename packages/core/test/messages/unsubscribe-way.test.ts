import { describe, expect, it } from "vitest";
import type { HeaderField } from "../../src/mail/index.ts";
import { mailOfUrl } from "../../src/messages/lists/mail-of-url.ts";
import { unsubscribeWayOf } from "../../src/messages/lists/unsubscribe-way.ts";

const URL_OF_LIST = "https://news.test/off?u=42";
const results = (value: string): HeaderField => ["Authentication-Results", value];
const PASSED = results("mx.x.test; dkim=pass (good) header.d=News.test header.s=s1; spf=pass");
const signature = (covered: string, more = "d=news.test; s=s1; b=NDU2") =>
  ["DKIM-Signature", `v=1; a=rsa-sha256; ${more}; h=From : To${covered}; bh=MTIz`] as const;
const COVERING = signature(":List-Unsubscribe:\tList-Unsubscribe-Post");
const list = (value: string): HeaderField => ["List-Unsubscribe", value];
const POST: HeaderField = ["List-Unsubscribe-Post", "List-Unsubscribe=One-Click"];
const OFFER = [list(`<mailto:leave@news.test>, <${URL_OF_LIST}>`), POST];

describe("the way to leave a list", () => {
  it("is one click if a signature that passed covers both fields [S5.8-2]", () => {
    expect(unsubscribeWayOf([PASSED, COVERING, ...OFFER])).toEqual({ method: "one_click", url: URL_OF_LIST });
    const byId = results('mx; dkim=fail header.d=other.test; dkim=pass header.i="@news.test" header.b=NDU');
    expect(unsubscribeWayOf([byId, COVERING, ...OFFER])?.method).toBe("one_click");
  });

  it.each<[string, ReadonlyArray<HeaderField>]>([
    ["no results", [COVERING, ...OFFER]],
    ["a signature that failed", [results("mx; dkim=fail header.d=news.test header.s=s1"), COVERING, ...OFFER]],
    ["results below the topmost", [results("mx; dkim=none"), PASSED, COVERING, ...OFFER]],
    ["a pass in a comment", [results("mx; dkim=fail (; dkim=pass header.d=news.test)"), COVERING, ...OFFER]],
    ["another domain", [results("mx; dkim=pass header.d=evil.test"), COVERING, ...OFFER]],
    ["another selector", [results("mx; dkim=pass header.d=news.test header.s=s2"), COVERING, ...OFFER]],
    ["fields that are not covered", [PASSED, signature(":List-Unsubscribe"), ...OFFER]],
    [
      "two signatures of which one does not cover",
      [results("mx; dkim=pass header.d=news.test"), COVERING, signature("", "d=news.test; s=s2; b=Nzg5"), ...OFFER],
    ],
    ["a second List-Unsubscribe", [PASSED, COVERING, ...OFFER, list("<https://evil.test/>")]],
    ["a second List-Unsubscribe-Post", [PASSED, COVERING, ...OFFER, POST]],
    ["no List-Unsubscribe-Post", [PASSED, COVERING, OFFER[0]!]],
    ["another post", [PASSED, COVERING, OFFER[0]!, ["List-Unsubscribe-Post", "all=yes"]]],
  ])("is not one click with %s [S5.8-2]", (_, headers) => {
    expect(unsubscribeWayOf(headers)?.method).toBe("mailto");
  });

  it("is the mail, otherwise the link [S5.8-4] [S5.8-5]", () => {
    const mail = "mailto:leave@news.test?subject=leave%2042";
    expect(unsubscribeWayOf([list(`<http://news.test/x>,\r\n <${mail}>`)])).toEqual({ method: "mailto", url: mail });
    expect(unsubscribeWayOf([list("<http://a.test/>, <https://b.test/>")])).toEqual({
      method: "link",
      url: "https://b.test/",
    });
    expect(unsubscribeWayOf([PASSED, COVERING, list("<http://a.test/>"), POST])?.method).toBe("link");
  });

  it("is null without a usable URL [S5.8-1]", () => {
    expect(unsubscribeWayOf([])).toBeNull();
    for (const url of [
      "javascript:alert(1)",
      "https://a:b@c.test/",
      `https://a.test/${"x".repeat(2_048)}`,
      "mailto:",
    ]) {
      expect(unsubscribeWayOf([list(`<${url}>`)])).toBeNull();
    }
    expect(unsubscribeWayOf([list("https://no.brackets.test/")])).toBeNull();
    const longest = `https://a.test/${"x".repeat(2_048 - 15)}`;
    expect(unsubscribeWayOf([list(`<${longest}>`)])).toEqual({ method: "link", url: longest });
    expect(unsubscribeWayOf([list(`<${longest}x>`)])).toBeNull();
  });
});

describe("the mail of a URL", () => {
  it("has at most 500 characters of a subject and 10,000 of a text, without control characters", () => {
    const of = (field: string, text: string) => mailOfUrl(`mailto:a@b.test?${field}=${encodeURIComponent(text)}`);
    expect([500, 501].map((n) => of("subject", "x".repeat(n))?.subject.length)).toEqual([500, 500]);
    expect([10_000, 10_001].map((n) => of("body", "x".repeat(n))?.text.length)).toEqual([10_000, 10_000]);
    expect(of("body", "a\0b=c")?.text).toBe("ab=c");
    expect(mailOfUrl("mailto:a@b.test?subject=%ff&body=")).toEqual({
      to: "a@b.test",
      subject: "unsubscribe",
      text: "unsubscribe",
    });
  });

  it("has its address, subject and text, and nothing else [S5.8-4]", () => {
    expect(mailOfUrl("mailto:leave+42%2Ba@news.test?Subject=off%0d%0aBcc:%20x&body=a%0Ab&cc=other@y.test")).toEqual({
      to: "leave+42+a@news.test",
      subject: "off Bcc: x",
      text: "a\nb",
    });
    expect(mailOfUrl("MAILTO:a@b.test")).toEqual({ to: "a@b.test", subject: "unsubscribe", text: "unsubscribe" });
  });

  it("is null for several addresses and for malformed ones", () => {
    for (const path of ["a@b.test,c@d.test", "a@b.test%2Cc@d.test", "", "%ff@b.test", "a@-b", "N <a@b.test>"]) {
      expect(mailOfUrl(`mailto:${path}`)).toBeNull();
    }
    expect(mailOfUrl("https://a@b.test")).toBeNull();
  });
});
