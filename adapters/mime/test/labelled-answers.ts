import { readdirSync, readFileSync } from "node:fs";

/** A labelled answer: a text as a mail program writes it, and the part that its author wrote. */
export interface LabelledAnswer {
  readonly name: string;
  readonly mail: string;
  /** The new text; for answers within quoted text all of the mail. */
  readonly newText: string;
  /** The answers within quoted text; empty for other mails. */
  readonly inline: ReadonlyArray<string>;
}

/**
 * Reads the labelled answers of a folder. Each begins with `@@` and its name. `@@ new` is followed by the new text, or
 * `@@ inline` by the answers within quoted text, one per line. `@@ mail` is followed by the whole text.
 */
export const readAnswers = (folder: string): ReadonlyArray<LabelledAnswer> => {
  const at = new URL(`../../../packages/core/test/answers/${folder}/`, import.meta.url);
  return readdirSync(at).flatMap((file) => {
    const parts = readFileSync(new URL(file, at), "utf8")
      .split(/^@@ (.*)\n/m)
      .slice(1);
    const answers: Array<LabelledAnswer> = [];
    for (let n = 0; n < parts.length; n += 6) {
      const [name, , kind, said, , mail] = parts.slice(n, n + 6) as [string, string, string, string, string, string];
      const isInline = kind === "inline";
      answers.push({
        name,
        mail,
        newText: isInline ? withoutSignature(mail) : said.trim(),
        inline: isInline ? said.trim().split("\n") : [],
      });
    }
    return answers;
  });
};

const withoutSignature = (mail: string): string => mail.replace(/^-- \n[^]*/m, "").trim();
