import { it } from "@effect/vitest";
import { Duration, Effect } from "effect";
import { TestClock } from "effect/testing";
import { describe, expect } from "vitest";
import { AuditTrail } from "../../src/audit/index.ts";
import { MailServerError } from "../../src/mail/index.ts";
import type { AttemptOutcome, SendingKey } from "../../src/send/index.ts";
import { send as module } from "../../src/send/module.ts";
import { sweepSent } from "../../src/send/outgoing/sweep-sent.ts";
import { AccountId } from "../../src/shared/index.ts";
import { reply, statesOf } from "../outgoing.ts";
import { NOW, sendingIn, SendingWorld } from "./sending-in-memory.ts";
import { ME } from "./sending-server.ts";

const minutes = (count: number) => count * 60_000;
const down: AttemptOutcome = { _tag: "NotSent", reason: "unreachable", detail: "refused" };
const tagOf = <A, E extends { readonly _tag: string }>(effect: Effect.Effect<A, E>) =>
  Effect.map(Effect.flip(effect), ({ _tag }) => _tag);

const KEY: SendingKey = { kind: "key", id: "k1", name: "K", application: "app", sendPerDay: null, policy: null };

describe("the outbox", () => {
  it.effect("lists what clients asked for, the newest first", () =>
    Effect.gen(function* () {
      const world = new SendingWorld();
      const { send, outbox } = yield* sendingIn(world);
      world.outcome = down;
      const first = yield* send();
      const second = yield* send();
      const third = yield* send();
      const row = world.rows.get(second.id)!;
      row.message = { ...row.message, kind: "notice" };
      expect((yield* outbox((one) => one.page(ME, {}))).items.map(({ message }) => message.id)).toEqual([
        third.id,
        first.id,
      ]);
      expect(yield* tagOf(outbox((one) => one.cancel(ME, second.id)))).toBe("OutgoingNotFound");
      expect(yield* tagOf(outbox((one) => one.cancel(AccountId("b@x.test"), first.id)))).toBe("OutgoingNotFound");
    }).pipe(Effect.scoped),
  );

  it.effect("cancels a message that waits, but not one that was sent or is being sent", () =>
    Effect.gen(function* () {
      const world = new SendingWorld();
      const { send, outbox } = yield* sendingIn(world);
      const sent = yield* send();
      expect(yield* Effect.flip(outbox((one) => one.cancel(ME, sent.id)))).toMatchObject({
        _tag: "OutgoingNotCancellable",
        state: "sent",
      });
      const later = yield* send({ sendAt: new Date(NOW + minutes(9)).toISOString() });
      expect((yield* outbox((one) => one.cancel(ME, later.id))).leased).toBe(false);
      expect(world.message).toMatchObject({ attemptAt: null, recipients: [{ state: "cancelled" }] });
      expect(world.rows.get(later.id)).toMatchObject({ lease: null, contents: null });
      // Nothing else may need the account's credential. [S3.7-6]
      expect(world.log.at(-1)).toBe(`release ${ME}`);
      world.outcome = down;
      const busy = yield* send();
      world.rows.get(busy.id)!.lease = { token: "other", until: NOW + 9 };
      expect(yield* Effect.flip(outbox((one) => one.cancel(ME, busy.id)))).toMatchObject({ state: "sending" });
    }).pipe(Effect.scoped),
  );

  it.effect("makes the next attempt of a queued message now", () =>
    Effect.gen(function* () {
      const world = new SendingWorld();
      const { send, outbox } = yield* sendingIn(world);
      const sendNow = (id: string) => outbox((one) => one.sendNow(ME, id));
      world.outcome = down;
      const { id } = yield* send();
      yield* TestClock.setTime(NOW + 9);
      expect((yield* sendNow(id)).message.attemptAt).toBe(NOW + 9);
      expect(world.rows.get(id)).toMatchObject({ lease: null, message: { attemptAt: NOW + 9 } });
      expect((yield* sendNow(id)).message.attemptAt).toBe(NOW + 9);
      world.rows.get(id)!.lease = { token: "other", until: NOW + minutes(1) };
      expect((yield* sendNow(id)).leased).toBe(true);
      world.outcome = undefined;
      const sent = yield* send();
      expect(yield* Effect.flip(sendNow(sent.id))).toMatchObject({ _tag: "OutgoingNotWaiting", state: "sent" });
      const later = yield* send({ sendAt: new Date(NOW + minutes(9)).toISOString() });
      expect(yield* tagOf(sendNow(later.id))).toBe("OutgoingNotWaiting");
    }).pipe(Effect.scoped),
  );

  it.effect("tells a request whose lease was lost what another process has done meanwhile [S6.6-3] [S9.3-2]", () =>
    Effect.gen(function* () {
      const world = new SendingWorld();
      const { send, outbox, run } = yield* sendingIn(world);
      const data = yield* run(module.data);
      world.outcome = down;
      /** Sends a message that another process takes over and sends after the request has claimed it. */
      const taken = Effect.fnUntraced(function* () {
        const { id } = yield* send({}, undefined, KEY);
        world.afterClaim = Effect.sync(() => {
          const { message, contents } = world.rows.get(id)!;
          const recipients = message.recipients.map((one) => ({ ...one, state: "sent" as const }));
          world.rows.set(id, { message: { ...message, recipients, attemptAt: null }, contents, lease: null });
        });
        return id;
      });
      const cancelled = yield* taken();
      expect(yield* Effect.flip(outbox((one) => one.cancel(ME, cancelled)))).toMatchObject({
        _tag: "OutgoingNotCancellable",
        state: "sent",
      });
      const hastened = yield* taken();
      yield* TestClock.setTime(NOW + 9);
      expect(yield* Effect.flip(outbox((one) => one.sendNow(ME, hastened)))).toMatchObject({
        _tag: "OutgoingNotWaiting",
        state: "sent",
      });
      const released = yield* taken();
      yield* data.endKey("k1", "hold");
      expect(yield* tagOf(outbox((one) => one.release(ME, released, null)))).toBe("OutgoingNotReleasable");
    }).pipe(Effect.scoped),
  );

  it.effect("records a request in the audit if it changed a message, and not otherwise [S8.7-1] [S8.7-4]", () =>
    Effect.gen(function* () {
      const world = new SendingWorld();
      const { send, outbox } = yield* sendingIn(world);
      world.outcome = down;
      const recorded: Array<unknown> = [];
      const asked = <A, E>(effect: Effect.Effect<A, E>) =>
        Effect.exit(
          Effect.provideService(effect, AuditTrail, (operation, { account, target }) =>
            Effect.sync(() => void recorded.push([operation, account, target])),
          ),
        );
      const { id } = yield* send();
      yield* TestClock.setTime(NOW + 9);
      for (let n = 0; n < 2; n++) yield* asked(outbox((one) => one.sendNow(ME, id)));
      yield* asked(outbox((one) => one.release(ME, id, null)));
      for (let n = 0; n < 2; n++) yield* asked(outbox((one) => one.cancel(ME, id)));
      expect(recorded).toEqual([
        ["send.sendNow", ME, id],
        ["send.cancel", ME, id],
      ]);
    }).pipe(Effect.scoped),
  );

  it.effect("records the release of a held message [S8.7-1]", () =>
    Effect.gen(function* () {
      const world = new SendingWorld();
      const { send, outbox, run } = yield* sendingIn(world);
      const data = yield* run(module.data);
      world.outcome = down;
      const { id } = yield* send({}, undefined, KEY);
      yield* data.endKey!("k1", "hold");
      const recorded: Array<unknown> = [];
      const release = outbox((one) => one.release(ME, id, null));
      yield* Effect.provideService(release, AuditTrail, (operation, { target }) =>
        Effect.sync(() => void recorded.push([operation, target])),
      );
      expect(recorded).toEqual([["send.release", id]]);
    }).pipe(Effect.scoped),
  );
});

describe("the end of a key, an application or an account", () => {
  it.effect("keeps, holds or cancels the mail that waits", () =>
    Effect.gen(function* () {
      const world = new SendingWorld();
      const { send, run } = yield* sendingIn(world);
      const data = yield* run(module.data);
      world.outcome = down;
      const next = () => Effect.map(send({ attachments: [{ id: "up_a" }] }, undefined, KEY), ({ id }) => id);
      const [kept] = [yield* next()];
      expect(yield* data.endKey("k1", "keep")).toEqual({ messages: 0 });
      expect(world.rows.get(kept)?.message.author).toBeUndefined();
      const held = yield* next();
      expect(yield* data.endKey("k1", "hold")).toEqual({ messages: 1 });
      expect(world.rows.get(held)?.message.heldSince).toBe(NOW);
      expect(world.rows.get(held)?.message.waitsFor).toBeUndefined();
      const cancelled = yield* next();
      expect(yield* data.endApplication("app", "cancel")).toEqual({ messages: 2, accounts: [ME, ME] });
      expect(world.rows.get(cancelled)?.message.recipients[0]?.state).toBe("cancelled");
      expect([...world.pins.keys()]).toEqual([kept]);
      expect(world.log.filter((one) => one.startsWith("erase"))).toEqual(["erase quota k1", "erase quota k1"]);
    }).pipe(Effect.scoped),
  );

  it.effect("keeps the files of cancelled mail whose copy in Sent is still owed [S6.1-2] [S6.6-1]", () =>
    Effect.gen(function* () {
      const world = new SendingWorld();
      const { send, run } = yield* sendingIn(world);
      const data = yield* run(module.data);
      world.refused.set("b@y.test", reply(450));
      world.copyFailure = new MailServerError({ reason: "over_quota", operation: "append", detail: "full" });
      const { id } = yield* send({ to: ["a@y.test", "b@y.test"], attachments: [{ id: "up_a" }] }, undefined, KEY);
      yield* data.endKey("k1", "cancel");
      expect(statesOf(world.message)).toEqual({ "a@y.test": "sent", "b@y.test": "cancelled" });
      expect([...world.pins.keys()]).toEqual([id]);
    }).pipe(Effect.scoped),
  );

  it.effect("cancels and erases what an account has, until nothing is left", () =>
    Effect.gen(function* () {
      const world = new SendingWorld();
      const { send, run } = yield* sendingIn(world);
      const data = yield* run(module.data);
      world.outcome = down;
      const { id } = yield* send({ to: ["a@y.test", "b@y.test"] });
      const row = world.rows.get(id)!;
      const [first, second] = row.message.recipients;
      // Its node was stopped before the reply to the dot.
      row.message = { ...row.message, recipients: [{ ...first!, state: "dot" }, second!] };
      expect(yield* data.needsCredential(ME)).toBe(true);
      world.log = [];
      expect(yield* data.eraseSlice(ME, 5)).toBe(false);
      expect(statesOf(world.message)).toEqual({ "a@y.test": "cancelled", "b@y.test": "cancelled" });
      expect(yield* data.needsCredential(ME)).toBe(false);
      yield* data.erase(ME);
      expect(world.log).toEqual([
        "erase messages",
        "erase tracked",
        "erase keys",
        `erase quota ${ME}`,
        "erase uploads",
        "erase senders",
        "erase contacts",
      ]);
    }).pipe(Effect.scoped),
  );

  it.effect("finished messages are forgotten after 30 days, and keys after one", () =>
    Effect.gen(function* () {
      const world = new SendingWorld();
      const { run } = yield* sendingIn(world);
      yield* yield* run(sweepSent);
      const ago = (days: number) => NOW - Duration.toMillis(Duration.days(days));
      expect(world.log).toEqual([`forget messages ${ago(30)} 50`, `forget keys ${ago(1)} 50`]);
    }).pipe(Effect.scoped),
  );
});
