import { readFileSync } from "node:fs";
import { EVENT_TYPES } from "@postern/core/events";
import { expect, it } from "vitest";

const page = readFileSync(new URL("../../../docs/reference/events.md", import.meta.url), "utf8");

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
