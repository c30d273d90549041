import { it } from "@effect/vitest";
import { Effect, Layer } from "effect";
import { TestClock } from "effect/testing";
import { describe, expect } from "vitest";
import { AccountId } from "../../src/shared/index.ts";
import { type Endpoint, Endpoints, ownedBy, sameOwner } from "../../src/webhooks/index.ts";
import { webhooks } from "../../src/webhooks/module.ts";
import { endpointWith, T0 } from "../webhook-doubles.ts";
import { keyOf, ME } from "./endpoints-in-memory.ts";

/** The data of webhooks over these endpoints, with the calls that change several at once. */
const world = (endpoints: ReadonlyArray<Endpoint>) => {
  const state = { endpoints, log: Array<string>() };
  const note = (what: string) => Effect.sync(() => void state.log.push(what));
  const doubles = Layer.mock(Endpoints, {
    list: (owner) => Effect.sync(() => state.endpoints.filter((one) => sameOwner(one.owner, owner))),
    change: (ids, decide) =>
      Effect.sync(() => {
        state.log.push(`change ${ids.join()}`);
        const decided = state.endpoints.map((one) => (ids.includes(one.id) ? decide(one) : null));
        state.endpoints = state.endpoints.map((one, n) => decided[n]?.[1] ?? one);
        return decided.flatMap((one) => (one === null ? [] : [one[0]]));
      }),
    removeApplication: (application) => Effect.as(note(`remove ${application}`), 4),
    erase: (account, limit) => Effect.as(note(`erase ${limit} of ${account}`), false),
  });
  const data = Effect.runSync(Effect.provide(webhooks.data, doubles));
  return { state, data };
};

const OTHER = AccountId("other@postern.test");

describe("the data of webhooks", () => {
  it.effect("suspends and resumes the endpoints of an application, now", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(T0 + 5);
      const all = [
        endpointWith({ id: "we_1", owner: keyOf() }),
        endpointWith({ id: "we_2" }),
        endpointWith({ id: "we_3", owner: keyOf(["tag:vip"]) }),
      ];
      const { state, data } = world(all);
      yield* data.setSuspended("app", true);
      const suspended = { state: "suspended", updatedAt: T0 + 5 } as const;
      expect(state.endpoints).toEqual([{ ...all[0], ...suspended }, all[1], { ...all[2], ...suspended }]);
      yield* data.setSuspended("app", false);
      expect(state.endpoints.map((one) => one.state)).toEqual(["enabled", "enabled", "enabled"]);
      yield* data.setSuspended("another", true);
      expect(state.log).toEqual(["change we_1,we_3", "change we_1,we_3"]);
    }),
  );

  it.effect("needs the credential of an account that has endpoints", () =>
    Effect.gen(function* () {
      const { data } = world([endpointWith({ owner: ownedBy(ME) }), endpointWith({ id: "we_2", owner: keyOf() })]);
      expect([yield* data.needsCredential(ME), yield* data.needsCredential(OTHER)]).toEqual([true, false]);
    }),
  );

  it.effect("ends with its account or application", () =>
    Effect.gen(function* () {
      const { state, data } = world([]);
      expect(yield* data.endApplication("app")).toEqual({ endpoints: 4 });
      yield* data.erase(ME);
      expect(yield* data.eraseSlice(ME, 7)).toBe(false);
      expect([state.log[0], state.log[2]]).toEqual(["remove app", `erase 7 of ${ME}`]);
    }),
  );
});
