import { assert, type Vitest } from "@effect/vitest";
import { dueAt, OutgoingJournal } from "@postern/core/send";
import { Effect, Fiber, Option } from "effect";
import { freshAccount } from "../../fixtures/fresh-account.ts";
import { claim, CONTENTS, finished, idleMoment, insert, newMessage, token } from "./outgoing-messages.ts";

/** The part of the `OutgoingJournal` contract about leases: at most one worker has a due message (spec 6). */
export const claimsOutgoing = (it: Vitest.MethodsNonLive<OutgoingJournal>): void => {
  it.effect("claims a message for one caller, and none before it is due", () =>
    Effect.gen(function* () {
      const journal = yield* OutgoingJournal;
      const at = yield* idleMoment;
      const message = yield* insert(at);
      assert.deepStrictEqual(yield* claim(at - 1, token()), []);
      const mine = token();
      assert.deepStrictEqual(yield* claim(at, mine), [message.id]);
      assert.deepStrictEqual(yield* claim(at + 999, token()), []);
      assert.deepInclude(Option.getOrThrow(yield* journal.find(message.account, message.id, at)), { leased: true });
      const done = finished(message);
      assert.isTrue(yield* journal.save(done, mine, "release"));
      assert.deepStrictEqual(yield* claim(at + 100_000, token()), []);
      const entry = yield* journal.find(message.account, message.id, at);
      assert.deepStrictEqual(entry, Option.some({ message: done, leased: false }));
      assert.deepStrictEqual(yield* journal.contents(message.id), Option.none());
    }),
  );

  it.effect("claims up to `limit` messages, earliest first", () =>
    Effect.gen(function* () {
      const at = yield* idleMoment;
      const late = yield* insert(at + 20);
      const early = yield* insert(at);
      const middle = yield* insert(at + 10);
      assert.deepStrictEqual(yield* claim(at + 20, token(), 2), [early.id, middle.id]);
      assert.deepStrictEqual(yield* claim(at + 20, token(), 2), [late.id]);
    }),
  );

  it.effect("reclaims a message whose lease expired, and fences off the former holder", () =>
    Effect.gen(function* () {
      const journal = yield* OutgoingJournal;
      const at = yield* idleMoment;
      const message = yield* insert(at);
      const [first, second] = [token(), token()];
      yield* claim(at, first);
      assert.deepStrictEqual(
        yield* journal.renew([message.id, "out_none"], { token: first, until: at + 5_000 }),
        new Set([message.id]),
      );
      assert.deepStrictEqual(yield* claim(at + 4_999, second), []);
      assert.deepStrictEqual(yield* claim(at + 5_000, second), [message.id]);
      assert.deepStrictEqual(yield* journal.renew([message.id], { token: first, until: at + 90_000 }), new Set());
      for (const lease of ["keep", "release"] as const) {
        assert.isFalse(yield* journal.save({ ...message, step: 9 }, first, lease));
      }
      const { message: kept } = Option.getOrThrow(yield* journal.find(message.account, message.id, at));
      assert.strictEqual(kept.step, 2);
      assert.isTrue(yield* journal.save({ ...message, step: 4 }, second, "keep"));
      assert.isTrue(yield* journal.save(finished(message), second, "release"));
      assert.isFalse(yield* journal.save(message, second, "keep"), "a released message has no holder");
    }),
  );

  it.effect("releases messages only for their holder", () =>
    Effect.gen(function* () {
      const journal = yield* OutgoingJournal;
      const at = yield* idleMoment;
      const message = yield* insert(at);
      const [mine, other] = [token(), token()];
      yield* claim(at, mine);
      yield* journal.release([message.id], other, at);
      assert.deepStrictEqual(yield* claim(at + 1, other), []);
      yield* journal.release([message.id, "out_none"], mine, at + 10);
      assert.deepStrictEqual(yield* claim(at + 9, other), []);
      assert.deepStrictEqual(yield* claim(at + 10, other), [message.id]);
      assert.isTrue(yield* journal.save(finished(message), other, "release"));
    }),
  );

  it.effect("ends messages at the same time, each under its own lease", () =>
    Effect.gen(function* () {
      const journal = yield* OutgoingJournal;
      const at = yield* idleMoment;
      const messages = yield* Effect.replicateEffect(insert(at), 6);
      const mine = token();
      assert.lengthOf(yield* claim(at, mine), 6);
      const ended = yield* Effect.forEach(
        messages,
        (message, n) => journal.save(finished(message), n % 2 === 0 ? mine : token(), "release"),
        { concurrency: "unbounded" },
      );
      assert.deepStrictEqual(ended, [true, false, true, false, true, false]);
      for (const [n, { account, id }] of messages.entries()) {
        assert.strictEqual(Option.isNone(yield* journal.contents(id)), ended[n]);
        assert.strictEqual(Option.getOrThrow(yield* journal.find(account, id, at)).leased, !ended[n]);
        if (!ended[n]) assert.isTrue(yield* journal.save(finished(messages[n]!), mine, "release"));
      }
    }),
  );

  it.effect("journals a message with a lease, which no other worker can claim", () =>
    Effect.gen(function* () {
      const journal = yield* OutgoingJournal;
      const at = yield* idleMoment;
      const message = newMessage(yield* freshAccount, at);
      const mine = token();
      yield* journal.insert(message, CONTENTS, { token: mine, until: at + 1_000 });
      assert.deepStrictEqual(yield* claim(at + 999, token()), []);
      const stolen = { token: token(), until: at + 5_000 };
      assert.deepStrictEqual(yield* journal.claimOne(message.account, message.id, at, stolen), Option.none());
      assert.isTrue(yield* journal.save(finished(message), mine, "release"));
    }),
  );

  it.effect("claims one message by id, due or not, only for its account", () =>
    Effect.gen(function* () {
      const journal = yield* OutgoingJournal;
      const at = yield* idleMoment;
      const message = yield* insert(at + 500_000);
      const lease = { token: token(), until: at + 1_000 };
      const stranger = yield* freshAccount;
      assert.deepStrictEqual(yield* journal.claimOne(stranger, message.id, at, lease), Option.none());
      assert.deepStrictEqual(yield* journal.claimOne(message.account, "no such\0id", at, lease), Option.none());
      assert.deepStrictEqual(yield* journal.claimOne(message.account, message.id, at, lease), Option.some(message));
      assert.deepStrictEqual(yield* journal.claimOne(message.account, message.id, at, lease), Option.none());
      assert.isTrue(yield* journal.save(finished(message), lease.token, "release"));
      assert.deepStrictEqual(yield* journal.find(stranger, message.id, at), Option.none());
      assert.deepStrictEqual(yield* journal.list({ account: stranger }, at, 10), []);
    }),
  );

  it.effect("makes a message due again at its own time", () =>
    Effect.gen(function* () {
      const journal = yield* OutgoingJournal;
      const at = yield* idleMoment;
      const message = yield* insert(at);
      const mine = token();
      yield* claim(at, mine);
      const later = {
        ...message,
        attemptAt: at + 60_000,
        copy: { state: "owed", step: 0, at: at + 30_000 } as const,
      };
      assert.strictEqual(dueAt(later), at + 30_000);
      yield* journal.save(later, mine, "release");
      assert.deepStrictEqual(yield* claim(at + 29_999, token()), []);
      assert.deepStrictEqual(yield* claim(at + 30_000, token()), [message.id]);
    }),
  );

  it.effect("is drained by many workers, each message by one of them", () =>
    Effect.gen(function* () {
      const journal = yield* OutgoingJournal;
      const at = yield* idleMoment;
      const messages = yield* Effect.forEach(Array.from({ length: 60 }), () => insert(at), { concurrency: 8 });
      const drain = Effect.gen(function* () {
        const mine: Array<string> = [];
        for (;;) {
          const by = token();
          const claimed = yield* journal.claim(at, { token: by, until: at + 100_000 }, 3);
          if (claimed.length === 0) return mine;
          for (const message of claimed) {
            mine.push(message.id);
            yield* journal.save(finished(message), by, "release");
          }
        }
      });
      const hands = yield* Effect.all(
        Array.from({ length: 6 }, () => drain),
        { concurrency: "unbounded" },
      );
      assert.sameMembers(
        hands.flat(),
        messages.map(({ id }) => id),
      );
    }),
  );

  it.effect("returns the next due time, and wakes a waiting worker", () =>
    Effect.gen(function* () {
      const journal = yield* OutgoingJournal;
      yield* insert(yield* idleMoment);
      yield* journal.changed;
      const waiting = yield* Effect.forkChild(journal.changed);
      const again = yield* Effect.forkChild(Effect.andThen(Fiber.await(waiting), journal.nextDue));
      const message = yield* insert(1_000);
      yield* Fiber.join(waiting);
      assert.deepStrictEqual(yield* Fiber.join(again), Option.some(1_000));
      const mine = token();
      yield* claim(1_000, mine);
      assert.deepStrictEqual(yield* journal.nextDue, Option.some(2_000));
      yield* journal.save(finished(message), mine, "release");
      const next = Option.getOrElse(yield* journal.nextDue, () => Infinity);
      assert.isAbove(next, 2_000);
    }),
  );
};
