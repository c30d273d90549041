import type { ComposedFile } from "./compose.ts";
import type { Letter } from "./letters.ts";

const text = (content: string) => new TextEncoder().encode(content);

/** One page that says where it is from. */
const PDF = text(
  "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n" +
    "3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>endobj\n" +
    "4 0 obj<</Length 47>>stream\nBT /F 18 Tf 30 100 Td (From the sandbox) Tj ET\nendstream endobj\n" +
    "5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n",
);

/** One blue dot. */
const PNG = Uint8Array.from(
  atob("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPj/HwADBwIAMCbHYQAAAABJRU5ErkJggg=="),
  (character) => character.charCodeAt(0),
);

/** The files that letters of the sandbox carry. */
export const FILES: Readonly<Record<NonNullable<Letter["file"]>, ComposedFile>> = {
  pdf: { name: "Übersicht.pdf", type: "application/pdf", content: PDF },
  csv: { name: "numbers.csv", type: "text/csv", content: text("month,amount\n2026-01,1200\n2026-02,980\n") },
  ics: {
    name: "invitation.ics",
    type: "text/calendar",
    content: text("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nSUMMARY:Meeting\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"),
  },
  png: { name: null, type: "image/png", content: PNG, contentId: "lake@postern.test" },
};
