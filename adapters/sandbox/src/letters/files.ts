import type { ComposedFile } from "./compose.ts";
import { csv, ics, pdf } from "./documents.ts";
import { band, lake, plan } from "./pictures.ts";

type FileOf = (at: number) => ComposedFile;

const page =
  (name: string, title: string, ...lines: ReadonlyArray<string>): FileOf =>
  () => ({ name, type: "application/pdf", content: pdf(title, lines) });

const table =
  (name: string, ...rows: ReadonlyArray<ReadonlyArray<string | number>>): FileOf =>
  () => ({ name, type: "text/csv; charset=utf-8", content: csv(rows) });

const DAY = 24 * 3600_000;

/** An invitation for three days later at ten. */
const invitation =
  (name: string, summary: string, organizer: string): FileOf =>
  (at) => ({
    name,
    type: "text/calendar; charset=utf-8; method=REQUEST",
    content: ics(summary, Math.floor(at / DAY + 3) * DAY + 10 * 3600_000, organizer),
  });

/** The files of letters, created for the time when a letter is written. */
export const FILES = {
  minutes: page(
    "minutes.pdf",
    "Minutes",
    "Present: Ada, Lena, Priya, Robin",
    "1. Stairs: second variant",
    "2. Next meeting: Tuesday",
  ),
  grundriss: page("Grundriss Räume 3.pdf", "Grundriss, Stand 3", "Kueche nach Sueden", "Masse am Bau pruefen"),
  structure: page("structure-check.pdf", "Structural check", "Beam B4: 82 %", "Beam B5: 61 %", "Slab: 74 %"),
  contract: page("contract-draft-2.pdf", "Contract, second draft", "7.2 Notice: three months", "9.1 Storage room"),
  devis: page("devis escalier chêne.pdf", "Devis", "Escalier en chene, 14 marches", "Delai : six semaines"),
  statement: page("statement.pdf", "Account statement", "Opening balance", "Closing balance"),
  bill: page("bill.pdf", "Your bill", "Fixed charge", "Usage", "To pay"),
  payslip: page("payslip.pdf", "Payslip", "Gross", "Net"),
  ticket: page("ticket.pdf", "Ticket", "One adult, second class", "Valid with any photo identity"),
  permit: page("decision.pdf", "Decision", "The permit is granted.", "Conditions overleaf."),
  gijiroku: page("議事録.pdf", "Minutes", "Tea house, first meeting"),
  budget: table(
    "budget.csv",
    ["item", "planned", "actual"],
    ["timber", 18400, 17950],
    ["glass", 9200, 9610],
    ["travel", 3000, 1240],
  ),
  hours: table(
    "hours.csv",
    ["day", "project", "hours"],
    ["Mon", "tea house", 6],
    ["Tue", "stairs", 7.5],
    ["Wed", "tea house", 8],
  ),
  otchet: table("отчёт.csv", ["quarter", "volumes", "sheets"], [1, 212, 18400], [2, 240, 20115]),
  review: invitation("invite.ics", "Design review", "priya@northwind.test"),
  visit: invitation("site-visit.ics", "Site visit, canal house", "priya@northwind.test"),
  checkup: invitation("appointment.ics", "Check-up", "reception@brookdental.test"),
  trip: invitation("ταξίδι.ics", "Καλαμάτα", "maria@kalamata.test"),
  photo: () => ({ name: "lake-evening.png", type: "image/png", content: lake() }),
  sketch: () => ({ name: "sketch.png", type: "image/png", content: plan() }),
  lakeInline: () => ({ name: null, type: "image/png", content: lake(), contentId: "lake@vale.test" }),
  planInline: () => ({ name: null, type: "image/png", content: plan(), contentId: "plan@northwind.test" }),
  bandInline: () => ({ name: null, type: "image/png", content: band(), contentId: "band@letters.test" }),
} as const satisfies Record<string, FileOf>;

export type FileId = keyof typeof FILES;
