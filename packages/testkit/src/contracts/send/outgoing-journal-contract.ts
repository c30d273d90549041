import { assert, layer } from "@effect/vitest";
import { Transaction } from "@postern/core/shared";
import { EventLedger, writeEvent } from "@postern/core/events";
import { EVENT_TYPES } from "@postern/core/rules";
import { OutgoingJournal, withdraw } from "@postern/core/send";
import { Effect, type Layer, Option } from "effect";
import { TestClock } from "effect/testing";
import { freshAccount } from "../../fixtures/fresh-account.ts";
import { besideTransaction } from "../beside-transaction.ts";
import { errorOf } from "../error-of.ts";
import { claimsOutgoing } from "./outgoing-claims.ts";
import { outgoingAccountsContract } from "./outgoing-accounts-contract.ts";
import { outgoingChoiceContract } from "./outgoing-choice-contract.ts";
import { outgoingServersContract } from "./outgoing-servers-contract.ts";
import { claim, CONTENTS, finished, idleMoment, insert, newMessage, token } from "./outgoing-messages.ts";

/** The contract of `OutgoingJournal` (spec 6). */
export const outgoingJournalContract = (
  name: string,
  live: Layer.Layer<OutgoingJournal | EventLedger | Transaction, unknown>,
) => {
  outgoingAccountsContract(name, live);
  outgoingChoiceContract(name, live);
  outgoingServersContract(name, live);
  layer(live)(name, (it) => {
    claimsOutgoing(it);

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
        assert.deepStrictEqual(yield* journal.list({ account: message.account }, at, 10), [{ message, leased: false }]);
        yield* claim(at, token());
      }),
    );

    it.effect("changes a message that another transaction saves only after that transaction [S6.7-3]", () =>
      Effect.gen(function* () {
        const journal = yield* OutgoingJournal;
        const at = yield* idleMoment;
        const mine = { token: token(), until: at + 1_000 };
        const message = newMessage(yield* freshAccount, at);
        yield* journal.insert(message, CONTENTS, mine);
        const held = { ...message, heldSince: at };
        const { results, hasWaited } = yield* besideTransaction(
          Effect.andThen(journal.save(held, mine.token, "keep"), journal.save(held, mine.token, "release")),
          journal.changeSlice({ account: message.account }, () => message, {
            after: "",
            limit: 9,
            now: at,
            asked: undefined,
          }),
        );
        assert.isTrue(hasWaited);
        assert.deepStrictEqual(results, [true, { changed: [message], asked: 0, last: null }]);
        yield* journal.erase(message.account, 10);
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

    it.effect("lists up to `limit` messages, newest first", () =>
      Effect.gen(function* () {
        const journal = yield* OutgoingJournal;
        const account = yield* freshAccount;
        const at = yield* idleMoment;
        for (const n of [1, 3, 2]) {
          const message = { ...newMessage(account, at + n), subject: `${n}` };
          yield* journal.insert(finished(message), CONTENTS, null);
        }
        const subjects = (yield* journal.list({ account }, at, 2)).map(({ message }) => message.subject);
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
        assert.deepStrictEqual(yield* journal.list({ account: mine.account }, 0, 10), []);
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
        assert.isTrue(old.some(({ messageId }) => messageId === forgotten[0]));
        for (const { account, id, to } of old) {
          assert.isTrue(Option.isNone(yield* journal.find(account, id, at)));
          assert.deepStrictEqual(yield* journal.findSentTo(account, to, 0), []);
        }
        for (const { account, id } of [young, waiting]) {
          assert.isTrue(Option.isSome(yield* journal.find(account, id, at)));
        }
        yield* claim(at, token());
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
        assert.deepStrictEqual(yield* journal.findSentTo(message.account, message.to, at), []);
        yield* run(both);
        assert.deepStrictEqual(yield* journal.findSentTo(message.account, message.to, at), [message]);
        assert.isTrue(Option.isSome(yield* journal.find(message.account, message.id, at)));
        assert.deepStrictEqual(yield* ledger.list(message.account), [event]);
        yield* claim(at, token());
      }),
    );
  });
};
