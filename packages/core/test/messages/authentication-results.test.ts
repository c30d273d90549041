import { describe, expect, it } from "vitest";
import { authenticationResults, passedSignatures } from "../../src/messages/authentication-results.ts";

const of = (...values: ReadonlyArray<string>) =>
  authenticationResults(values.map((value) => ["Authentication-Results", value]));

describe("authentication results", () => {
  it("are those of the topmost field [S12.3-8]", () => {
    expect(
      of(
        "mx.example.org; spf=pass (sender; is fine) smtp.mailfrom=a@b.test; dkim=fail header.d=b.test; dkim=pass header.d=c.test; dmarc=none",
        "forged.test; spf=pass; dkim=pass; dmarc=pass",
      ),
    ).toEqual({ spf: "pass", dkim: "pass", dmarc: "none", source: "mx.example.org" });
  });

  it("are null if the server did not say [S12.3-8] [S12.3-9]", () => {
    expect(of()).toBeNull();
    expect(of("mx.example.org 1; none")).toEqual({ spf: null, dkim: null, dmarc: null, source: "mx.example.org" });
    expect(of('mx; spf/1 = SOFTFAIL reason="x; dmarc=pass"')).toMatchObject({ spf: "softfail" });
  });

  it("of a method are its first one, unless a later one passed", () => {
    expect(of("mx; dkim=neutral; dkim=fail")).toMatchObject({ dkim: "neutral" });
    expect(of("mx; dkim=fail; DKIM=Pass; dkim=none")).toMatchObject({ dkim: "pass" });
  });

  it.each([
    ["nested comments", "mx (a (b; spf=fail) c; spf=fail); spf=pass", "pass"],
    ["a bracket in quotes", 'mx; reason="(" ; spf=pass', "pass"],
    ["a closing bracket without a comment", "mx ) ; (x) spf=pass", "pass"],
    ["a pass in a comment", "mx (x; spf=pass); spf=fail", "fail"],
    ["a pass in a comment after an odd number of characters", "mxx (x; spf=pass); spf=fail", "fail"],
    ["a quote in a comment", 'mx (a " b; spf=pass); spf=fail', "fail"],
    ["a quote in a comment after an odd number of characters", 'mxx (a " b; spf=pass); spf=fail', "fail"],
    ["a bracket in quotes after a comment", 'mx (x); reason=")" ; spf=pass', "pass"],
  ])("are read beside %s", (_, value, spf) => expect(of(value)).toMatchObject({ spf }));
});

describe("the signatures that passed", () => {
  const signed = (value: string) => passedSignatures([["Authentication-Results", value]]);
  const domains = (value: string) => signed(value).map(({ domain }) => domain);

  it("have their domain, and the selector and the beginning if the server reports them", () => {
    expect(
      signed('mx; DKIM/1 = Pass header.d=News.test header . s = "S1" header.b=AbC; dkim=pass header.d=b.test'),
    ).toEqual([
      { domain: "news.test", selector: "s1", beginning: "AbC" },
      { domain: "b.test", selector: null, beginning: null },
    ]);
  });

  it("have the domain of their identity if it is not reported alone", () => {
    expect(domains("mx; dkim=pass header.i=@a.test; dkim=pass header.i=me@b.test; dkim=pass header.i=c.test")).toEqual([
      "a.test",
      "b.test",
      "c.test",
    ]);
    expect(domains("mx; dkim=pass header.i=@sub.a.test header.d=a.test; dkim=pass")).toEqual(["a.test"]);
  });

  it("are not those that failed, and none without a field", () => {
    expect(domains("mx; dkim=fail header.d=a.test; dkim=passed header.d=b.test; spf=pass header.d=c.test")).toEqual([]);
    expect(domains("dkim=pass header.d=a.test")).toEqual([]);
    expect(passedSignatures([])).toEqual([]);
  });
});
