import { readdirSync, readFileSync } from "node:fs";

/** A mail with the preview that a person expects. */
export interface LabelledMail {
  readonly name: string;
  readonly preview: string | null;
  readonly raw: string;
}

const FOLDER = new URL("previews/", import.meta.url);

/**
 * Reads the labelled mails. Each begins with `@@` and its name; `@@ preview` is followed by the preview, empty for none,
 * and `@@ mail` by the fields of its contents and its body.
 */
export const labelledMails = (): ReadonlyArray<LabelledMail> =>
  readdirSync(FOLDER).flatMap((file) => {
    const parts = readFileSync(new URL(file, FOLDER), "utf8").split(/^@@ (.*)\n/m);
    return Array.from({ length: (parts.length - 1) / 6 }, (_, n) => {
      const [name = "", , , preview = "", , mail = ""] = parts.slice(1 + n * 6);
      const subject = `${file.replace(".txt", "")}-${n}`;
      const header = `From: a@y.test\nTo: b@x.test\nSubject: ${subject}\nMessage-ID: <${subject}@y.test>\nMIME-Version: 1.0\n`;
      return {
        name: `${subject}, ${name}`,
        preview: preview.trim() || null,
        raw: (header + mail).replaceAll("\n", "\r\n"),
      };
    });
  });
