import { readFileSync } from "node:fs";
import { STATUS_CODES } from "node:http";
import * as contract from "@postern/api";
import { Schema } from "effect";
import { describe, expect, it } from "vitest";

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
        example: JSON.parse(/^```json\n([^]*?)^```$/m.exec(entry)![1]!) as { readonly status: number },
      })),
  );

interface Problem extends Schema.Decoder<unknown> {
  readonly fields: { readonly code: { readonly schema: { readonly literal: string } } };
}

const isProblem = (value: unknown): value is Problem =>
  typeof value === "function" && typeof (value as Partial<Problem>).fields?.code?.schema?.literal === "string";

const problems = new Map(
  Object.values(contract as Readonly<Record<string, unknown>>)
    .filter(isProblem)
    .map((problem) => [problem.fields.code.schema.literal, problem]),
);

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

  it("lists every code in its table, in the row of its status", () => {
    const rows = [...page.matchAll(/^\| (\d{3}) \| (.+) \|$/gm)].map(([, status, codes]) => [
      Number(status),
      [...codes!.matchAll(/\[`(\w+)`\]\(#\1\)/g)].map(([, code]) => code),
    ]);
    const byStatus = Map.groupBy(entries, ({ example }) => example.status);
    expect(rows).toEqual([...byStatus].map(([status, all]) => [status, all.map(({ code }) => code)]));
  });
});
