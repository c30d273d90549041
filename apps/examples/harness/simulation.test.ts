import { IdempotencyKeys } from "@postern/core/send";
import { simulate } from "@postern/harness";
import { Effect, Layer } from "effect";
import { expect, it } from "vitest";
import { quotasInMap } from "./quotas-in-map.ts";

it("a store of our own holds under the faults of a cluster", () => {
  expect(simulate({ stores: quotasInMap, seeds: 3 })).toBeUndefined();
}, 60_000);

it("a store that gives out a key twice is detected", () => {
  const stores = () => () =>
    Layer.effect(
      IdempotencyKeys,
      Effect.map(IdempotencyKeys, (real) => ({
        ...real,
        find: () => Effect.succeedNone,
        take: () => Effect.succeed(true),
      })),
    );
  expect(simulate({ stores, seeds: 5 })?.violations.join()).toContain("idempotency");
}, 60_000);

it("an invariant of our own is checked in every seed", () => {
  const quotasAreKnown = {
    name: "quotas",
    watch: (cluster: { readonly violate: (invariant: string, detail: string) => void }) => {
      let changes = 0;
      return {
        answered: ({ port, method }: { readonly port: string; readonly method: string }) => {
          if (port === "SendQuotas" && method === "modify") changes++;
        },
        quiet: () => {
          if (changes > 0) cluster.violate("quotas", `${changes} changes`);
        },
      };
    },
  };
  expect(simulate({ invariants: [quotasAreKnown], seeds: 1 })?.violations.join()).toMatch(/^quotas: \d+ changes$/);
}, 60_000);
