import { splitQuoted } from "@postern/core/messages";
import { describe, expect, it } from "vitest";
import { readAnswers } from "./labelled-answers.ts";

/**
 * `collected`: the rules were written from these. `held-out`, `blind`: labelled before the rules were run on them.
 * `forms`: one case for each form of a header, attribution, divider and addition, and cases with words that only look
 * like these.
 */
describe.each([
  ["collected", 110],
  ["held-out", 55],
  ["blind", 87],
  ["forms", 86],
])("answers of the %s set", (set, count) => {
  const answers = readAnswers(set);

  it("are split exactly, at least 95 of 100", () => {
    const wrong = answers.filter(({ mail, newText }) => splitQuoted(mail).newText !== newText);
    expect(answers).toHaveLength(count);
    expect(wrong.length / count, wrong.map(({ name }) => name).join(", ")).toBeLessThanOrEqual(0.05);
  });

  it("keep every answer within quoted text [S12.3-7]", () => {
    const lost = answers.flatMap(({ name, mail, inline }) =>
      inline.filter((answer) => !splitQuoted(mail).newText.includes(answer)).map((answer) => `${name}: ${answer}`),
    );
    expect(answers.filter(({ inline }) => inline.length > 0).length).toBeGreaterThanOrEqual(set === "forms" ? 0 : 8);
    expect(lost).toEqual([]);
  });
});
