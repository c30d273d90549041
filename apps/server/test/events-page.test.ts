import { readFileSync } from "node:fs";
import { EVENT_TYPES } from "@postern/core/rules";
import { expect, it } from "vitest";

const read = (path: string) => readFileSync(new URL(`../../../docs/${path}`, import.meta.url), "utf8");
const page = read("reference/events.md");

it("docs/reference/events.md has every event type, with its sample", () => {
  const shown = [...page.matchAll(/^### `([a-z_.]+)`\n[^]*?^```json\n([^]*?)^```$/gm)].map(([, type, json]) => {
    const { event, data } = JSON.parse(json!) as { readonly event: string; readonly data: unknown };
    expect(event).toBe(type);
    return [type, data];
  });
  expect(Object.fromEntries(shown)).toEqual(
    Object.fromEntries(Object.entries(EVENT_TYPES).map(([type, { sample }]) => [type, sample])),
  );
});

it("docs/spec 7.2 has every event type, with the fields of its data [S7.2-1]", () => {
  const section = read("spec/7-events-and-webhooks.md").split("## 7.2")[1]!.split("## 7.3")[0]!;
  const rows = [...section.matchAll(/^\| (`[^|]+) \| [^|]+ \| (.*?) \|$/gm)];
  const shown = rows.flatMap(([, types, data]) => {
    const spans = [...data!.replaceAll("\\|", "/").matchAll(/`([^`]+)`/g)].map(([, span]) => span);
    const fields = spans
      .join(", ")
      .replaceAll(/: \{[^}]*\}|: [^,]+|\[\]/g, "")
      .split(", ");
    return [...types!.matchAll(/`([^`]+)`/g)].map(([, type]) => [type, fields.toSorted()]);
  });
  const defined = Object.entries(EVENT_TYPES).map(([type, { data }]) => [
    type,
    Object.keys(data.fields)
      .filter((field) => field !== "truncated")
      .toSorted(),
  ]);
  expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(defined));
});
