const ascii = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Returns a PDF page with a title and lines, all ASCII. */
export const pdf = (title: string, lines: ReadonlyArray<string>): Uint8Array => {
  const shown = [`/F1 18 Tf (${pdfText(title)}) Tj /F1 11 Tf`, ...lines.map((line) => `T* (${pdfText(line)}) Tj`)];
  const content = `BT 20 TL 60 760 Td ${shown.join("\n")} ET`;
  const objects = [
    "<</Type/Catalog/Pages 2 0 R>>",
    "<</Type/Pages/Kids[3 0 R]/Count 1>>",
    "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
    `<</Length ${content.length}>>stream\n${content}\nendstream`,
    "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
  ];
  let file = "%PDF-1.4\n";
  const offsets = objects.map((object, n) => {
    const offset = file.length;
    file += `${n + 1} 0 obj${object}endobj\n`;
    return `${String(offset).padStart(10, "0")} 00000 n \n`;
  });
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join("")}`;
  return ascii(`${file}${table}trailer<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${file.length}\n%%EOF\n`);
};

const pdfText = (text: string): string => text.replaceAll(/[\\()]/g, "\\$&").replaceAll(/[^\x20-\x7e]/g, "?");

/** Returns a CSV file; cells contain neither commas nor quotes. */
export const csv = (rows: ReadonlyArray<ReadonlyArray<string | number>>): Uint8Array =>
  ascii(rows.map((row) => `${row.join(",")}\r\n`).join(""));

/** Returns an invitation to an event of one hour (RFC 5545, RFC 5546). */
export const ics = (summary: string, startsAt: number, organizer: string): Uint8Array => {
  const stamp = (at: number) => new Date(at).toISOString().replaceAll(/[-:]|\.\d+/g, "");
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Postern//Sandbox//EN",
    "METHOD:REQUEST",
    "BEGIN:VEVENT",
    `UID:${startsAt}@postern.test`,
    `DTSTAMP:${stamp(startsAt - 7 * 24 * 3600_000)}`,
    `DTSTART:${stamp(startsAt)}`,
    `DTEND:${stamp(startsAt + 3600_000)}`,
    `SUMMARY:${summary.replaceAll(/[,;\\]/g, "\\$&")}`,
    `ORGANIZER:mailto:${organizer}`,
    "END:VEVENT",
    "END:VCALENDAR",
  ];
  return ascii(lines.map((line) => `${line}\r\n`).join(""));
};
