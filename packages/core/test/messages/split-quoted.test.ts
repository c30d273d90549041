import { describe, expect, it } from "vitest";
import { isAdvertisement } from "../../src/messages/advertisement.ts";
import { splitQuoted } from "../../src/messages/split-quoted.ts";

const ON = "On Mon, 2 Nov 2026 at 10:00, Bob <bob@example.org> wrote:";
const OUTLOOK =
  "From: Bob <bob@example.org>\nSent: Monday, November 2, 2026 10:00 AM\nTo: Ann <ann@example.org>\nSubject: Plan\n\nDoes Tuesday work?";

/** Texts of answers as mail programs write them, with what their authors wrote. */
const ANSWERS: ReadonlyArray<readonly [program: string, text: string, newText: string]> = [
  ["Gmail", `Tuesday works.\n\n${ON}\n> Does Tuesday work?\n> Bob`, "Tuesday works."],
  [
    "Gmail, wrapped",
    "Fine.\n\nOn Mon, 2 Nov 2026 at 10:00, Bob Builder <bob.builder@a-long-name.example.org>\nwrote:\n\n> Hi",
    "Fine.",
  ],
  [
    "Gmail, wrapped twice",
    "Fine.\n\nOn Mon, 2 Nov 2026 at 10:00, Bob Builder\n<bob.builder@a-long-name.example.org>\nwrote:\n> Hi",
    "Fine.",
  ],
  ["Apple Mail", "Yes.\n\n> On 2. Nov 2026, at 10:00, Bob <bob@example.org> wrote:\n> \n> Hi\n", "Yes."],
  ["Thunderbird", "Yes.\n\nOn 11/2/26 10:00, Bob wrote:\n> Hi\n>> Older\n", "Yes."],
  ["Thunderbird, German", "Ja.\n\nAm 02.11.26 um 10:00 schrieb Bob:\n> Geht Dienstag?\n", "Ja."],
  ["Arabic", "نعم.\n\nفي ٢‏/١١‏/٢٠٢٦، ١٠:٠٠:٠٠ ص، كتب Bob:\n> الثلاثاء؟\n", "نعم."],
  [
    "Arabic forward",
    "للعلم\n\n---------- رسالة معاد توجيهها ----------\nمن: Bob <bob@example.org>\nالتاريخ: 2‏/11‏/2026\nالموضوع: Plan\nإلى: Ann\n\nHi",
    "للعلم",
  ],
  ["French", "Oui.\n\nLe lun. 2 nov. 2026 à 10:00, Bob <bob@example.org> a écrit :\n> Mardi ?\n", "Oui."],
  ["Spanish", "Sí.\n\nEl lun, 2 nov 2026 a las 10:00, Bob (<bob@example.org>) escribió:\n> ¿Martes?\n", "Sí."],
  ["Italian", "Sì.\n\nIl giorno lun 2 nov 2026 alle ore 10:00 Bob <bob@example.org> ha scritto:\n> Martedì?\n", "Sì."],
  ["Portuguese", "Sim.\n\nEm seg., 2 de nov. de 2026 às 10:00, Bob <bob@example.org> escreveu:\n> Terça?\n", "Sim."],
  ["Dutch", "Ja.\n\nOp ma 2 nov 2026 om 10:00 schreef Bob <bob@example.org>:\n> Dinsdag?\n", "Ja."],
  ["Swedish", "Ja.\n\nDen mån 2 nov. 2026 kl 10:00 skrev Bob <bob@example.org>:\n> Tisdag?\n", "Ja."],
  ["Polish", "Tak.\n\nW dniu 2.11.2026 o 10:00, Bob napisał(a):\n> Wtorek?\n", "Tak."],
  ["Outlook", `Tuesday works.\n\n-----Original Message-----\n${OUTLOOK}`, "Tuesday works."],
  ["Outlook, a line", `Tuesday works.\n\n________________________________\n${OUTLOOK}`, "Tuesday works."],
  ["Outlook, no line", `Tuesday works.\n\n${OUTLOOK}`, "Tuesday works."],
  [
    "Outlook, German",
    "Passt.\n\nVon: Bob <bob@example.org>\nGesendet: Montag, 2. November 2026 10:00\nAn: Ann\nBetreff: Plan\n\nGeht Dienstag?",
    "Passt.",
  ],
  ["Outlook for iOS", `Yes\n\nGet Outlook for iOS\n________________________________\n${OUTLOOK}`, "Yes"],
  [
    "forward",
    "FYI\n\n---------- Forwarded message ---------\nFrom: Bob <bob@example.org>\nDate: Mon, 2 Nov 2026 at 10:00\nSubject: Plan\nTo: Ann <ann@example.org>\n\nHi",
    "FYI",
  ],
  ["quote without attribution", "Agreed.\n\n> Shall we?\n> Bob\n", "Agreed."],
  ["signature", `Tuesday works.\n\n-- \nAnn\nExample Inc.\n\n${ON}\n> Does Tuesday work?`, "Tuesday works."],
  ["signature below the quote", `Tuesday works.\n\n${ON}\n> Does Tuesday work?\n\n-- \nAnn\n`, "Tuesday works."],
  ["phone", `Yes\n\nSent from my iPhone\n\n${ON}\n\n> Hi`, "Yes"],
  ["phone, below", `Yes\n\n${ON}\n\n> Hi\n\nSent from my iPhone`, "Yes"],
  ["answer below", `${ON}\n> Does Tuesday work?\n\nTuesday works.\n`, "Tuesday works."],
  ["answer below with signature", `${ON}\n> Does Tuesday work?\n\nTuesday works.\n\n-- \nAnn`, "Tuesday works."],
  [
    "answer below of two paragraphs",
    `${ON}\n> Does Tuesday work?\n>\n> Bob\n\nTuesday works.\n\nSee you.`,
    "Tuesday works.\n\nSee you.",
  ],
  ["CRLF", `Yes.\r\n\r\n${ON}\r\n> Hi\r\n`, "Yes."],
  ["no history", "Hello,\n\nhow are you?\n\nBob", "Hello,\n\nhow are you?\n\nBob"],
  ["only a signature", "Hello\n\n-- \nBob\n", "Hello"],
  ["a dash line in the text", "Agenda\n-----\n1. Plan\n", "Agenda\n-----\n1. Plan"],
  ["the word wrote", "On Monday Bob wrote:\nnothing of use.\n", "On Monday Bob wrote:\nnothing of use."],
  ["a field of a form", "From: Berlin\nPlease book it.", "From: Berlin\nPlease book it."],
  ["a long text after two dashes", `Hi\n--\n${"more\n".repeat(20)}`, `Hi\n--\n${"more\n".repeat(20)}`.trim()],
  ["only a quote", `${ON}\n> Hi\n`, `${ON}\n> Hi`],
  ["nothing", "", ""],
  ["an attribution behind the last sentence", `Works. ${ON}\n> Does Tuesday work?`, "Works."],
  ["a quoted attribution behind a sentence", `Fine.\n\n> Works. ${ON}\n> > Does Tuesday work?`, "Fine."],
  ["a divider with empty lines below", `Fine.\n\n-----Original Message-----\n\n\n\n${OUTLOOK}`, "Fine."],
  [
    "a divider with too many empty lines below",
    `Fine.\n\n-----Forwarded-----\n\n\n\n\nFrom: Bob\nSent: Monday\nTo: Ann`,
    "Fine.\n\n-----Forwarded-----\n\n\n\n\nFrom: Bob\nSent: Monday\nTo: Ann",
  ],
  [
    "a divider above a header without a date",
    "Fine.\n\n-----Forwarded-----\nFrom: Bob\nSent: Monday\nTo: Ann",
    "Fine.",
  ],
  [
    "no divider above a header without a date",
    "Fine.\n\nFrom: Bob\nSent: Monday\nTo: Ann",
    "Fine.\n\nFrom: Bob\nSent: Monday\nTo: Ann",
  ],
  [
    "a header of ten lines",
    `Fine.\n\n${["From: Bob <bob@example.org>", ...Array(8).fill("To: Ann"), "Date: 2 Nov 2026 10:00"].join("\n")}`,
    "Fine.",
  ],
  [
    "a header whose date comes too late",
    `Fine.\n\n${["From: Bob <bob@example.org>", ...Array(9).fill("To: Ann"), "Date: 2 Nov 2026 10:00"].join("\n")}`,
    `Fine.\n\n${["From: Bob <bob@example.org>", ...Array(9).fill("To: Ann"), "Date: 2 Nov 2026 10:00"].join("\n")}`,
  ],
  [
    "Yahoo, no quote marks",
    "Fine.\n\nOn Monday, 2 November 2026 at 10:00, Bob <bob@example.org> wrote:\n\nHi",
    "Fine.",
  ],
  [
    "no quote marks, wrapped",
    "Fine.\n\nOn Monday, 2 November 2026 at 10:00,\nBob\n<bob@example.org> wrote:\n\nHi",
    "Fine.",
  ],
  [
    "no quote marks, wrapped too often",
    "Fine.\n\nOn Monday, 2 November 2026\nat 10:00,\nBob\n<bob@example.org> wrote:\n\nHi",
    "Fine.\n\nOn Monday, 2 November 2026\nat 10:00,\nBob\n<bob@example.org> wrote:\n\nHi",
  ],
  [
    "no quote marks and nothing above",
    "\n\nOn Monday, 2 November 2026 at 10:00, Bob <bob@example.org> wrote:\n\nHi",
    "On Monday, 2 November 2026 at 10:00, Bob <bob@example.org> wrote:\n\nHi",
  ],
  ["a divider three lines above", `Fine.\n\n---------------\n\n\n${ON}\n> Hi`, "Fine."],
  ["a divider four lines above", `Fine.\n\n---------------\n\n\n\n${ON}\n> Hi`, "Fine.\n\n---------------"],
  ["an attribution three lines above the quote", `Fine.\n\n${ON}\n\n\n> Hi`, "Fine."],
  ["an attribution four lines above the quote", `Fine.\n\n${ON}\n\n\n\n> Hi`, `Fine.\n\n${ON}`],
  [
    "an attribution whose date is on the line before",
    "Fine.\nOn Mon, 2 Nov 2026 at 10:00,\nBob <bob@example.org> wrote:\n> Hi",
    "Fine.",
  ],
  [
    "an attribution of four lines",
    "Fine.\n\nOn Mon, 2 Nov 2026\nat 10:00, Bob\nBuilder of\nRome wrote:\n> Hi",
    "Fine.\n\nOn Mon, 2 Nov 2026\nat 10:00, Bob\nBuilder of\nRome wrote:",
  ],
  ["an attribution without a date", "Fine.\n\nBob Builder <bob@example.org> writes:\n> Hi", "Fine."],
  [
    "an attribution without a date, wrapped",
    "Fine.\n\nBob Builder\n<bob@example.org> writes:\n> Hi",
    "Fine.\n\nBob Builder\n<bob@example.org> writes:",
  ],
  ["a quote at the very top", "> Hi\n\nFine.", "Fine."],
  ["a list footer below the quote", `Fine.\n\n${ON}\n> Hi\n\n${"_".repeat(40)}\nlist@example.org`, "Fine."],
  [
    "twelve lines of signature",
    `Fine.\n\n${ON}\n> Hi\n\n-- \n${Array.from({ length: 11 }, (_, n) => `line ${n}`).join("\n")}`,
    "Fine.",
  ],
  [
    "thirteen lines of signature",
    `Fine.\n-- \n${Array.from({ length: 12 }, (_, n) => `line ${n}`).join("\n")}`,
    `Fine.\n-- \n${Array.from({ length: 12 }, (_, n) => `line ${n}`).join("\n")}`,
  ],
  ["two dashes without a space", "Fine.\n--\nAnn", "Fine."],
  ["only an advertisement", "Sent from my iPhone", "Sent from my iPhone"],
  ["two signatures", "Fine.\n-- \nAnn\n-- \nExample Inc.", "Fine.\n-- \nAnn"],
];

/** Texts with answers between quoted parts: all of it is kept. */
const INLINE: ReadonlyArray<readonly [program: string, text: string, answers: ReadonlyArray<string>]> = [
  [
    "two answers",
    `${ON}\n> First question?\nAnswer one.\n> Second question?\nAnswer two.`,
    ["Answer one.", "Answer two."],
  ],
  ["with a greeting", `Hi Bob,\n\n${ON}\n> First?\n\nYes.\n\n> Second?\n\nNo.\n`, ["Hi Bob,", "Yes.", "No."]],
  ["after the last quote", `See below.\n\n${ON}\n> First?\n> Second?\n\nBoth.\n`, ["See below.", "Both."]],
  ["in Outlook", `My answers are in red.\n\n${OUTLOOK}\nTuesday is fine.`, ["Tuesday is fine."]],
  [
    "German, in Outlook",
    "Antworten siehe unten.\n\nVon: Bob\nGesendet: Montag\nAn: Ann\nBetreff: Plan\n\nGeht Dienstag?\nJa, gern.",
    ["Ja, gern."],
  ],
  ["nested quotes", `${ON}\n> > Old?\n> Older answer.\nNew answer.\n> Rest`, ["New answer."]],
  ["an advertisement and more after the quote", `Yes.\n\n${ON}\n> Hi\n\nSent from my iPhone\n\nNo.`, ["Yes.", "No."]],
  ["one word after the quote", `Yes.\n\n${ON}\n> Hi\nNo.`, ["Yes.", "No."]],
  ["an original message below the quote", `Yes.\n\n${ON}\n> Hi\n${OUTLOOK}`, ["Yes.", "Does Tuesday work?"]],
  ["a wrapped quote", `Yes.\n\n${ON}\n> a very long line that the program\nwrapped\n> more\n`, ["Yes.", "wrapped"]],
];

describe("the text that the author of an answer wrote", () => {
  it.each(ANSWERS)("is found in a text of %s [S12.3-6]", (_, text, newText) => {
    expect(splitQuoted(text).newText).toBe(newText);
  });

  it.each(INLINE)("keeps answers between quoted parts: %s [S12.3-7]", (_, text, answers) => {
    const { newText } = splitQuoted(text);
    for (const answer of answers) expect(newText).toContain(answer);
  });

  it("ends at an unmarked history only within the first 5000 lines", () => {
    const below = (lines: number, history: string) => splitQuoted(`${"word\n".repeat(lines)}${history}`).quotedText;
    expect(below(4_999, OUTLOOK)).toBe(OUTLOOK);
    expect(below(5_000, OUTLOOK)).toBe("");
    expect(below(6_000, "> Hi")).toBe("> Hi");
    expect(below(5_000, `${OUTLOOK}\n> Hi`)).toBe("> Hi");
  });

  it("ends at a divider up to three empty lines above a header", () => {
    const newTextAbove = (emptyLines: number) =>
      splitQuoted(`Fine.\n\n-----Forwarded-----\n${"\n".repeat(emptyLines)}From: Bob\nSent: Monday\nTo: Ann`).newText;
    expect([0, 1, 2, 3].map(newTextAbove)).toEqual(["Fine.", "Fine.", "Fine.", "Fine."]);
    expect(newTextAbove(4)).toContain("Forwarded");
  });

  it("has the divider and the attribution in its history", () => {
    expect(splitQuoted(`Fine.\n\n---------------\n\n\n${ON}\n> Hi`).quotedText).toBe(
      `---------------\n\n\n${ON}\n> Hi`,
    );
    expect(splitQuoted(`${ON}\n> Hi\n\nFine.`).quotedText).toBe(`${ON}\n> Hi`);
  });

  it("leaves the history unchanged [S12.3-6]", () => {
    expect(splitQuoted(ANSWERS[0]![1]).quotedText).toBe(`${ON}\n> Does Tuesday work?\n> Bob`);
    expect(splitQuoted(INLINE[0]![1]).quotedText).toBe("");
  });
});

describe("an advertisement of a mail program", () => {
  it("names a program or device in a short line that is not a sentence", () => {
    const advertisements = ["Sent from my iPhone", "Get Outlook for iOS", "Get Outlook for iOS<https://aka.ms/o0ukef>"];
    expect(advertisements.filter((line) => !isAdvertisement(line))).toEqual([]);
    const others = ["Sent from the harbour", "My iPhone", "Get the tickets", "Outlook", "Sent from my iPhone, sorry"];
    expect(others.filter(isAdvertisement)).toEqual([]);
  });

  it("has at most 12 words, of 120 characters together", () => {
    const ofWords = (words: number) => `Sent from my iPhone${" word".repeat(words - 4)}`;
    const ofChars = (characters: number) => `Sent from my iPhone ${"x".repeat(characters - 20)}`;
    expect([ofWords(12), ofWords(13), ofChars(120), ofChars(121)].map(isAdvertisement)).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });
});
