import { it } from "@effect/vitest";
import { Effect, Layer, Option } from "effect";
import { TestClock } from "effect/testing";
import { describe, expect } from "vitest";
import { EventPublisher } from "../../src/events/index.ts";
import { IdempotencyKeys, Outbox, OutgoingJournal } from "../../src/send/index.ts";
import { commitTransition, transitionWriter } from "../../src/send/outgoing/commit-transition.ts";
import type { OutgoingMessage } from "../../src/send/outgoing/OutgoingMessage.ts";
import { Transaction } from "../../src/shared/index.ts";
import { outgoing } from "../outgoing.ts";
import { A, Journal, NOW } from "./journal-in-memory.ts";

/** A journal with one message of `a@x.test`, which can be claimed: its claims, and what is saved. */
const world = (fields: Partial<OutgoingMessage> = {}) => {
  const journal = new Journal().add("m1", { attemptAt: NOW + 60_000, ...fields });
  const state = { claims: Array<unknown>(), saves: Array<unknown>(), answers: Array<unknown>(), runs: 0 };
  const ports = Layer.mergeAll(
    Layer.mock(OutgoingJournal, {
      changed: Effect.never,
      nextDue: Effect.succeedNone,
      find: (_, id) => Effect.succeed(id === "m1" ? Option.some(journal.entries[0]!) : Option.none()),
      claimOne: (account, id, now, lease) =>
        Effect.sync(() => {
          state.claims.push([account, id, now, lease.until - now, lease.token.length]);
          return Option.some(journal.message("m1"));
        }),
      save: (message, token, lease) =>
        Effect.sync(() => (state.saves.push([message.attemptAt, token.length, lease]), true)),
      hasProbe: () => Effect.succeed(true),
    }),
    Layer.mock(EventPublisher, { publish: () => Effect.succeed([]) }),
    Layer.mock(IdempotencyKeys, { answer: (id, answer) => Effect.sync(() => void state.answers.push([id, answer])) }),
    Layer.succeed(Transaction, { run: (effect) => Effect.suspend(() => (state.runs++, effect)) }),
  );
  const use = <A, E>(run: (outbox: Outbox["Service"]) => Effect.Effect<A, E>) =>
    Effect.andThen(TestClock.setTime(NOW), Effect.flatMap(Outbox, run)).pipe(
      Effect.provide(Outbox.layer.pipe(Layer.provide(ports), Layer.provide(journal.ports))),
    );
  const commit = (lease: "keep" | "release", message: Partial<OutgoingMessage>, more = {}) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOW);
      const writer = yield* transitionWriter;
      const transition = { message: { ...outgoing(), id: "m1", account: A, ...message }, changes: [] };
      return yield* commitTransition(writer, transition, "token", lease, more);
    }).pipe(Effect.provide(Layer.merge(journal.ports, ports)));
  return { state, use, commit, journal };
};

describe("a change of a waiting message", () => {
  it.effect("claims it for 30 seconds, and tells it without a lease", () =>
    Effect.gen(function* () {
      const { state, use } = world();
      expect(yield* use((outbox) => outbox.sendNow(A, "m1"))).toMatchObject({
        message: { attemptAt: NOW },
        leased: false,
      });
      expect(state.claims).toEqual([[A, "m1", NOW, 30_000, 22]]);
      expect(state.saves).toEqual([[NOW, 22, "release"]]);
      const held = world({ heldSince: NOW - 5, attemptAt: null });
      expect(yield* held.use((outbox) => outbox.release(A, "m1", null))).toMatchObject({ leased: false });
    }),
  );

  it.effect("needs a valid filter to be listed, and a valid id", () =>
    Effect.gen(function* () {
      const { use } = world();
      const tagOf = (run: (outbox: Outbox["Service"]) => Effect.Effect<unknown, { readonly _tag: string }>) =>
        Effect.map(Effect.flip(use(run)), ({ _tag }) => _tag);
      expect(yield* tagOf((outbox) => outbox.page(A, { state: "none" as never }))).toBe("InputInvalid");
      expect(yield* tagOf((outbox) => outbox.pageOfAll({ state: "none" as never }))).toBe("InputInvalid");
      expect(yield* tagOf((outbox) => outbox.cancel(A, "x".repeat(999)))).toBe("InputInvalid");
      expect(yield* tagOf((outbox) => outbox.find(A, "x".repeat(999)))).toBe("InputInvalid");
      expect(yield* tagOf((outbox) => outbox.find(A, "m2"))).toBe("OutgoingNotFound");
    }),
  );
});

describe("a message without further changes", () => {
  it.effect("is saved without a transaction, unless it waits for a server, or may hold files", () =>
    Effect.gen(function* () {
      const runs = (lease: "keep" | "release", message: Partial<OutgoingMessage> = {}, more = {}) => {
        const { state, commit } = world();
        return Effect.map(commit(lease, message, more), () => state.runs);
      };
      const finished = { recipients: [{ address: "a@y.test", state: "cancelled", reply: null }] } as const;
      const done = { ...finished, attemptAt: null, copy: { state: "none", step: 0, at: null } } as const;
      expect(yield* runs("release")).toBe(0);
      expect(yield* runs("keep", { waitsFor: "smtp.y:25" })).toBe(0);
      expect(yield* runs("release", { waitsFor: "smtp.y:25" })).toBe(1);
      expect(yield* runs("release", done)).toBe(1);
      expect(yield* runs("release", done, { mayHoldFiles: false })).toBe(0);
      expect(yield* runs("keep", done)).toBe(0);
      expect(yield* runs("keep", {}, { within: Effect.void })).toBe(1);
    }),
  );

  it.effect("is saved together with the answer for a repeated request, if there is one", () =>
    Effect.gen(function* () {
      const { state, commit } = world();
      const answer = { outcome: "queued" };
      yield* commit("keep", {}, { answer });
      yield* commit("keep", {}, { within: Effect.void });
      expect([state.answers, state.runs]).toEqual([[["m1", answer]], 2]);
    }),
  );

  it.effect("that is finished and released gives up its files", () =>
    Effect.gen(function* () {
      const { commit, journal } = world();
      const recipients = [{ address: "a@y.test", state: "cancelled", reply: null }] as const;
      yield* commit("release", { recipients, attemptAt: null, copy: { state: "none", step: 0, at: null } });
      expect(journal.unpinned).toEqual(["m1"]);
      const other = world();
      yield* other.commit("release", { waitsFor: "smtp.y:25" });
      expect(other.journal.unpinned).toEqual([]);
    }),
  );
});
