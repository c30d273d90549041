import { readFileSync } from "node:fs";
import { STATUS_CODES } from "node:http";
import * as contract from "@postern/api";
import { Schema } from "effect";
import { describe, expect, it } from "vitest";

interface Body {
  readonly status: number;
  readonly detail: string;
}

const page = readFileSync(new URL("../../../docs/reference/errors.md", import.meta.url), "utf8");

/** The entries of the page, except those of requests that only the server itself sees. */
const entries = page
  .split(/^## /m)
  .filter((section) => /^\d{3} /.test(section))
  .flatMap((section) =>
    section
      .split(/^### /m)
      .slice(1)
      .map((entry) => ({
        code: /^`(\w+)`$/m.exec(entry)![1]!,
        heading: section.slice(0, section.indexOf("\n")),
        example: JSON.parse(/^```json\n([^]*?)^```$/m.exec(entry)![1]!) as Body,
      })),
  );

interface Problem extends Schema.Decoder<unknown> {
  new (members: object): { readonly detail: string };
  readonly fields: { readonly code: { readonly schema: { readonly literal: string } } };
}

const isProblem = (value: unknown): value is Problem =>
  typeof value === "function" && typeof (value as Partial<Problem>).fields?.code?.schema?.literal === "string";

const problems = new Map(
  Object.values(contract as Readonly<Record<string, unknown>>)
    .filter(isProblem)
    .map((problem) => [problem.fields.code.schema.literal, problem]),
);

/** Codes whose answers have a more precise detail than the contract, such as the number of a limit. */
const OWN_DETAIL = new Set([
  "method_not_allowed",
  "not_cancellable",
  "not_releasable",
  "not_waiting",
  "payload_too_large",
  "send_rate_exceeded",
  "sender_refused",
  "too_many_attempts",
  "too_many_endpoints",
  "unsupported_media_type",
]);

describe("docs/reference/errors.md", () => {
  it("has every error code of the contract, and no other", () => {
    expect(problems.size).toBeGreaterThan(40);
    expect(entries.map(({ code }) => code).toSorted()).toEqual([...problems.keys()].toSorted());
  });

  it.each(entries)("has an example of $code that its schema accepts", ({ code, heading, example }) => {
    expect(heading).toBe(`${example.status} ${STATUS_CODES[example.status]}`);
    const decoded = Schema.decodeUnknownSync(problems.get(code)!, { onExcessProperty: "error" })(example);
    expect(decoded).toBeInstanceOf(problems.get(code));
  });

  it.each(entries)("has an example of $code with the detail that the service sends", ({ code, example }) => {
    const { detail } = new (problems.get(code)!)({ ...example, detail: undefined });
    expect(detail).toMatch(/^[A-Z].+\.$/);
    if (OWN_DETAIL.has(code)) expect(example.detail).not.toBe(detail);
    else expect(example.detail).toBe(detail);
  });

  it("lists every code in its table, in the row of its status", () => {
    const rows = [...page.matchAll(/^\| (\d{3}) \| (.+) \|$/gm)].map(([, status, codes]) => [
      Number(status),
      [...codes!.matchAll(/\[`(\w+)`\]\(#\1\)/g)].map(([, code]) => code),
    ]);
    const byStatus = Map.groupBy(entries, ({ example }) => example.status);
    expect(rows).toEqual([...byStatus].map(([status, all]) => [status, all.map(({ code }) => code)]));
  });
});
