import { assert, layer } from "@effect/vitest";
import { Transaction } from "@postern/core/shared";
import { EVENT_TYPES, EventLedger, writeEvent } from "@postern/core/events";
import { dueAt, OutgoingJournal, withdraw } from "@postern/core/send";
import { Effect, Fiber, type Layer, Option } from "effect";
import { TestClock } from "effect/testing";
import { freshAccount } from "../../fixtures/fresh-account.ts";
import { errorOf } from "../error-of.ts";
import { outgoingAccountsContract } from "./outgoing-accounts-contract.ts";
import { outgoingServersContract } from "./outgoing-servers-contract.ts";
import { claim, CONTENTS, finished, idleMoment, insert, newMessage, token } from "./outgoing-messages.ts";

/** The contract of `OutgoingJournal` (spec 6). */
export const outgoingJournalContract = (
  name: string,
  live: Layer.Layer<OutgoingJournal | EventLedger | Transaction, unknown>,
) => {
  outgoingAccountsContract(name, live);
  outgoingServersContract(name, live);
  layer(live)(name, (it) => {
    it.effect("stores a message and its contents unchanged", () =>
      Effect.gen(function* () {
        const journal = yield* OutgoingJournal;
        const at = yield* idleMoment;
        const message = yield* insert(at);
        assert.deepStrictEqual(
          yield* journal.find(message.account, message.id, at),
          Option.some({ message, leased: false }),
        );
        assert.deepStrictEqual(yield* journal.contents(message.id), Option.some(CONTENTS));
        assert.deepStrictEqual(yield* journal.list(message.account, at, 10), [{ message, leased: false }]);
        yield* claim(at, token());
      }),
    );

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

    it.effect("finds messages of an account by Message-ID or id", () =>
      Effect.gen(function* () {
        const journal = yield* OutgoingJournal;
        const account = yield* freshAccount;
        const at = yield* idleMoment;
        const messages = [1, 2, 3].map((n) => finished(newMessage(account, at + n)));
        for (const message of messages) yield* journal.insert(message, CONTENTS, null);
        const [one, two] = messages;
        assert.sameDeepMembers(
          [...(yield* journal.named(account, [one!.messageId, "<none@x.test>"], [two!.id, one!.id]))],
          [one!, two!],
        );
        assert.deepStrictEqual(yield* journal.named(account, [], []), []);
        const mine = { token: token(), until: at + 60_000 };
        const three = newMessage(account, at + 3);
        yield* journal.insert(three, CONTENTS, mine);
        const renamed = { ...three, providerMessageId: `<p.${three.id}@provider.test>` };
        assert.isTrue(yield* journal.save(renamed, mine.token, "keep"));
        for (const id of [renamed.providerMessageId, three.messageId]) {
          assert.deepStrictEqual(yield* journal.named(account, [id], []), [renamed]);
        }
        assert.deepStrictEqual(yield* journal.named(yield* freshAccount, [one!.messageId], [two!.id]), []);
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
        assert.deepStrictEqual(yield* journal.list(stranger, at, 10), []);
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

    it.effect("lists up to `limit` messages, newest first", () =>
      Effect.gen(function* () {
        const journal = yield* OutgoingJournal;
        const account = yield* freshAccount;
        const at = yield* idleMoment;
        for (const n of [1, 3, 2]) {
          const message = { ...newMessage(account, at + n), subject: `${n}` };
          yield* journal.insert(finished(message), CONTENTS, null);
        }
        const subjects = (yield* journal.list(account, at, 2)).map(({ message }) => message.subject);
        assert.deepStrictEqual(subjects, ["3", "2"]);
      }),
    );

    it.effect("reports unfinished messages of an account, and erases an account", () =>
      Effect.gen(function* () {
        const journal = yield* OutgoingJournal;
        const at = yield* idleMoment;
        const [mine, theirs] = [yield* insert(at), yield* insert(at)];
        assert.isTrue(yield* journal.hasUnfinished(mine.account));
        assert.isFalse(yield* journal.hasUnfinished(yield* freshAccount));
        while (yield* journal.erase(mine.account, 1));
        assert.isFalse(yield* journal.hasUnfinished(mine.account));
        assert.deepStrictEqual(yield* journal.list(mine.account, 0, 10), []);
        assert.deepStrictEqual(yield* journal.contents(mine.id), Option.none());
        assert.isTrue(yield* journal.hasUnfinished(theirs.account));
        const lease = { token: token(), until: at + 1_000 };
        yield* journal.claimOne(theirs.account, theirs.id, at, lease);
        assert.isTrue(yield* journal.hasUnfinished(theirs.account), "a leased message is unfinished");
        yield* journal.save(finished(theirs), lease.token, "release");
        assert.isFalse(yield* journal.hasUnfinished(theirs.account));
      }),
    );

    it.effect("makes only the paused messages of an account due", () =>
      Effect.gen(function* () {
        const journal = yield* OutgoingJournal;
        const at = yield* idleMoment;
        const later = at + 300_000;
        const account = yield* freshAccount;
        const waiting = yield* insert(later, { account });
        const merely = yield* insert(later, { account, paused: null });
        const foreign = yield* insert(later);
        const held = { ...newMessage(account, later) };
        yield* journal.insert(held, CONTENTS, { token: "held", until: later });
        yield* journal.changeWaiting({ account }, (one) => (one.paused === null ? one : { ...one, attemptAt: at }));
        assert.deepStrictEqual(yield* claim(at, token()), [waiting.id]);
        const found = Option.getOrThrow(yield* journal.find(account, waiting.id, at));
        assert.deepStrictEqual(found.message, { ...waiting, attemptAt: at });
        const rest = new Set(yield* claim(later, token()));
        for (const { id } of [merely, foreign, held]) assert.isTrue(rest.has(id));
      }),
    );

    it.effect("changes the waiting messages of a key, an application or a server, and no others", () =>
      Effect.gen(function* () {
        const journal = yield* OutgoingJournal;
        const at = yield* idleMoment;
        const application = `app ${token()}`;
        const [one, other] = [token(), token()];
        const mine = yield* insert(at, { author: { key: one, application }, waitsFor: one });
        const same = yield* insert(at, { author: { key: other, application } });
        const personal = yield* insert(at);
        const leased = { ...newMessage(yield* freshAccount, at), author: { key: one, application } };
        yield* journal.insert(leased, CONTENTS, { token: "held", until: at + 1_000 });
        assert.deepStrictEqual(yield* journal.changeWaiting({ server: one }, (message) => message), []);
        const { waitsFor: _, ...mineOnly } = mine;
        const held = { ...mineOnly, heldSince: at };
        assert.deepStrictEqual(yield* journal.changeWaiting({ key: one }, () => held), [held]);
        assert.isTrue(yield* journal.hasUnfinished(mine.account));
        const [claimed, by] = [yield* claim(at, token()), token()];
        assert.sameMembers(claimed, [same.id, personal.id]);
        assert.deepStrictEqual(yield* journal.contents(mine.id), Option.some(CONTENTS));
        const foreign = { key: one, application: `${application} 2` };
        assert.deepStrictEqual(
          Option.map(yield* journal.claimOne(mine.account, mine.id, at, { token: by, until: at + 1 }), ({ id }) => id),
          Option.some(mine.id),
        );
        assert.isTrue(yield* journal.save({ ...held, author: foreign }, by, "release"));
        assert.deepStrictEqual(yield* journal.changeWaiting({ application }, withdraw), []);
        const [ended] = yield* journal.changeWaiting({ application: foreign.application }, withdraw);
        assert.deepInclude(ended, { id: mine.id, attemptAt: null });
        assert.deepStrictEqual(yield* journal.contents(mine.id), Option.none());
        assert.isFalse(yield* journal.hasUnfinished(mine.account));
        yield* claim(at + 1_000, token());
      }),
    );

    it.effect("deletes up to `limit` messages finished before a time, and no unfinished ones", () =>
      Effect.gen(function* () {
        const journal = yield* OutgoingJournal;
        yield* TestClock.setTime(5_000);
        yield* journal.forgetFinished(5_000, 1_000);
        const at = yield* idleMoment;
        const finish = Effect.fnUntraced(function* () {
          const message = yield* insert(at);
          const mine = token();
          yield* journal.claimOne(message.account, message.id, at, { token: mine, until: at + 1 });
          yield* journal.save(finished(message), mine, "release");
          return message;
        });
        const old = [yield* finish(), yield* finish()];
        yield* TestClock.setTime(6_000);
        const young = yield* finish();
        const waiting = yield* insert(at);
        assert.lengthOf(yield* journal.forgetFinished(6_000, 1), 1);
        const forgotten = yield* journal.forgetFinished(6_000, 1_000);
        assert.lengthOf(forgotten, 1);
        assert.include(
          old.map(({ messageId }) => messageId),
          forgotten[0],
        );
        for (const { account, id, to } of old) {
          assert.isTrue(Option.isNone(yield* journal.find(account, id, at)));
          assert.deepStrictEqual(yield* journal.sentTo(account, to, 0), []);
        }
        for (const { account, id } of [young, waiting]) {
          assert.isTrue(Option.isSome(yield* journal.find(account, id, at)));
        }
        yield* claim(at, token());
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

    it.effect("commits together with events or not at all", () =>
      Effect.gen(function* () {
        const journal = yield* OutgoingJournal;
        const ledger = yield* EventLedger;
        const { run } = yield* Transaction;
        const at = yield* idleMoment;
        const message = newMessage(yield* freshAccount, at);
        const event = writeEvent(
          `evt_${message.id}`,
          { id: "acc_1", email: message.account },
          "email.sent",
          at,
          EVENT_TYPES["email.sent"].sample,
        );
        const both = Effect.andThen(journal.insert(message, CONTENTS, null), ledger.append([event]));
        yield* errorOf(run(Effect.andThen(both, Effect.fail("no"))));
        assert.deepStrictEqual(yield* journal.find(message.account, message.id, at), Option.none());
        assert.deepStrictEqual(yield* ledger.list(message.account), []);
        assert.deepStrictEqual(yield* journal.sentTo(message.account, message.to, at), []);
        yield* run(both);
        assert.deepStrictEqual(yield* journal.sentTo(message.account, message.to, at), [message]);
        assert.isTrue(Option.isSome(yield* journal.find(message.account, message.id, at)));
        assert.deepStrictEqual(yield* ledger.list(message.account), [event]);
        yield* claim(at, token());
      }),
    );
  });
};
