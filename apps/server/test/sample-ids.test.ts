import { globSync, readFileSync } from "node:fs";
import { AccountId, OpaqueIds } from "@postern/core/shared";
import { eventId } from "@postern/core/events";
import { Entropy } from "@postern/core/shared";
import { layer } from "@postern/node-crypto";
import { it } from "@effect/vitest";
import { Effect } from "effect";
import { expect } from "vitest";

const DEMO = AccountId("demo@postern.test");

/** Real ids by their prefixes; ids of accounts are longer for longer addresses. */
const realIds = Effect.gen(function* () {
  const ids = yield* OpaqueIds;
  const { id } = yield* Entropy;
  return {
    acc: ids.accountId(DEMO),
    f: ids.folderId(DEMO, "Projects"),
    we: `we_${yield* id(96)}`,
    up: `up_${yield* id(128)}`,
    out: `out_${yield* id(128)}`,
    idn: `idn_${yield* id(128)}`,
    evt: eventId(Date.UTC(2026, 0, 2), yield* id(128)),
  };
}).pipe(Effect.provide(layer({ idKey: new Uint8Array(32) })));

it.effect("ids in the samples of the API and of events have the lengths of real ones", () =>
  Effect.gen(function* () {
    const files = ["packages/api/openapi.json", ...globSync("docs/reference/*.md")];
    const text = files.map((file) => readFileSync(file, "utf8")).join("\n");
    for (const [prefix, real] of Object.entries(yield* realIds)) {
      const samples = [...text.matchAll(new RegExp(`"(${prefix}_[\\w-]+)"`, "g"))].map(([, sample]) => sample!);
      expect(samples).not.toEqual([]);
      for (const sample of samples) expect(sample, `write a sample like ${real}`).toHaveLength(real.length);
    }
    const messages = [...text.matchAll(/"id": "([\w-]+)",\s+"uid": \d+/g)].map(([, sample]) => sample!);
    expect(messages).not.toEqual([]);
    for (const sample of messages) expect(sample).toMatch(/^[\w-]{21}[AQgw]$/);
  }),
);
