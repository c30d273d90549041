import { describe, expect, it } from "vitest";
import { linksIn } from "../../src/lifecycle/links-in.ts";

describe("the links of a message", () => {
  it("are those of its HTML, then those that only its text has, each once [S5.6-6]", () => {
    const html =
      '<p><a class="b" href="https://app.example/confirm?t=abc&amp;u=1" rel="nofollow">Confirm</a>' +
      '<a href="mailto:a@app.example">Write</a><img src="https://track.example/p.gif">' +
      '<a href="https://app.example/help">Help</a><a href="https://app.example/help">Help</a></p>';
    const text = "Confirm https://app.example/confirm?t=abc&u=1 or https://other.example/x";
    expect(linksIn(text, html)).toEqual([
      "https://app.example/confirm?t=abc&u=1",
      "https://app.example/help",
      "https://other.example/x",
    ]);
  });

  it("end before a character that closes a sentence or a bracket", () => {
    const text =
      "Open https://a.example/1?x=1. See (https://a.example/2), <https://a.example/3>, [here](https://a.example/4)!\n" +
      "https://a.example/wiki/Post_(mail) and https://a.example/5/, “https://a.example/6”";
    expect(linksIn(text, null)).toEqual([
      "https://a.example/1?x=1",
      "https://a.example/2",
      "https://a.example/3",
      "https://a.example/4",
      "https://a.example/wiki/Post_(mail)",
      "https://a.example/5/",
      "https://a.example/6",
    ]);
  });

  it("are at most 100, of at most 2,048 characters [S5.6-6]", () => {
    const many = Array.from({ length: 120 }, (_, n) => `https://a.example/${n}`);
    expect(linksIn(many.join(" "), null)).toEqual(many.slice(0, 100));
    const long = `https://a.example/${"x".repeat(2_030)}`;
    expect([long.length, linksIn(`${long} ${long}y`, null)]).toEqual([2_048, [long]]);
    expect(linksIn(null, null)).toEqual([]);
  });
});
