import { describe, expect, it } from "vitest";
import { authenticationResults } from "../../src/messages/authentication-results.ts";

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
    ["a bracket in quotes after a comment", 'mx (x); reason=")" ; spf=pass', "pass"],
  ])("are read beside %s", (_, value, spf) => expect(of(value)).toMatchObject({ spf }));
});
