import { type Report, isCandidate, recognise } from "@postern/core/bounces";
import { readdirSync, readFileSync } from "node:fs";
import { parsedMessage } from "../src/index.ts";

/** The expected reading of a sample. */
export interface Expected {
  readonly kind: "bounce" | "delay" | "complaint" | "none";
  readonly recipients?: ReadonlyArray<
    | string
    | { readonly address: string; readonly status: string; readonly type: string; readonly originalRecipient?: string }
  >;
  readonly messageId?: string;
  readonly feedbackType?: string;
}

/** The reading of a sample. `mistakes` names what differs: `kind`, `recipients`, `status`, `messageId`, `candidate`. */
export interface Reading {
  readonly family: string;
  readonly name: string;
  readonly isSetApart: boolean;
  readonly expected: Expected;
  readonly report: Report;
  readonly mistakes: ReadonlyArray<string>;
}

const CORPUS = new URL("../../../packages/core/test/bounces/corpus/", import.meta.url);

/** Returns whether a sample belongs to the third, selected by a hash (FNV-1a) of the file name, that rules are not tuned on. */
export const isSetApart = (file: string): boolean => {
  let hash = 0x811c9dc5;
  for (const character of file) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193) >>> 0;
  return hash % 3 === 0;
};

export const readCorpus = async (): Promise<ReadonlyArray<Reading>> => {
  const readings: Array<Reading> = [];
  for (const family of readdirSync(CORPUS).filter((name) => !name.startsWith("."))) {
    const folder = new URL(`${family}/`, CORPUS);
    const expectations: Record<string, Expected> = JSON.parse(readFileSync(new URL("expected.json", folder), "utf8"));
    const files = readdirSync(folder).filter((file) => file.endsWith(".eml"));
    const unpaired = [
      ...files.filter((file) => !(file in expectations)),
      ...Object.keys(expectations).filter((file) => !files.includes(file)),
    ];
    if (unpaired.length > 0) throw new Error(`${family}: sample and expectation do not pair: ${unpaired.join(", ")}`);
    for (const name of files) {
      const message = await parsedMessage(readFileSync(new URL(name, folder)));
      const report = recognise(message);
      const expected = expectations[name]!;
      const mistakes = mistakesOf(expected, report);
      if (expected.kind !== "none" && !isCandidate(message.headers)) mistakes.push("candidate");
      readings.push({ family, name, isSetApart: isSetApart(`${family}/${name}`), expected, report, mistakes });
    }
  }
  return readings;
};

const mistakesOf = (expected: Expected, report: Report): Array<string> => {
  if (report.kind !== expected.kind) return ["kind"];
  if (report.kind === "none") return [];
  const mistakes: Array<string> = [];
  const wanted = (expected.recipients ?? []).map((one) => (typeof one === "string" ? { address: one } : one));
  const found: ReadonlyArray<Record<string, unknown>> =
    report.kind === "complaint"
      ? report.recipients.map((address) => ({ address }))
      : report.recipients.map((one) => ({ ...one }));
  const byAddress = new Map(found.map((one) => [one["address"], one]));
  if (found.length !== wanted.length || wanted.some(({ address }) => !byAddress.has(address)))
    mistakes.push("recipients");
  for (const one of wanted)
    for (const [key, value] of Object.entries(one)) {
      const actual = byAddress.get(one.address)?.[key];
      if (actual !== undefined && actual !== value) mistakes.push(key === "status" ? "status" : key);
    }
  if (expected.messageId !== undefined && report.returned.messageIds[0] !== expected.messageId)
    mistakes.push("messageId");
  if (report.kind === "complaint" && report.feedbackType !== expected.feedbackType) mistakes.push("feedbackType");
  return mistakes;
};

/** Returns one row per family: the number of samples, how many were classified correctly, and the mistakes. */
export const tableOf = (readings: ReadonlyArray<Reading>): string => {
  const families = [...new Set(readings.map(({ family }) => family))].toSorted();
  const row = (name: string, some: ReadonlyArray<Reading>) => {
    const reports = some.filter(({ expected }) => expected.kind !== "none");
    const recalled = reports.filter(({ mistakes }) => !mistakes.includes("kind")).length;
    const count = (mistake: string) => some.filter(({ mistakes }) => mistakes.includes(mistake)).length;
    const falsely = some.filter(({ expected, report }) => expected.kind === "none" && report.kind !== "none").length;
    return [
      name,
      some.length,
      reports.length === 0 ? "-" : `${recalled}/${reports.length}`,
      falsely,
      count("recipients"),
      count("status"),
      count("messageId"),
    ];
  };
  const rows = [
    ["family", "samples", "recall", "false", "recipients", "status", "messageId"],
    ...families.map((family) =>
      row(
        family,
        readings.filter((one) => one.family === family),
      ),
    ),
    row("all", readings),
  ];
  return rows
    .map((cells) => cells.map((cell, n) => (n === 0 ? String(cell).padEnd(16) : String(cell).padStart(11))).join(""))
    .join("\n");
};
