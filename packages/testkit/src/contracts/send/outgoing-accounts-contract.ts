import { assert, layer } from "@effect/vitest";
import { MAX_IN_FLIGHT_PER_ACCOUNT, OutgoingJournal, type OutgoingMessage } from "@postern/core/send";
import { Effect, type Layer, Option } from "effect";
import { freshAccount } from "../../fixtures/fresh-account.ts";
import { claim, CONTENTS, finished, idleMoment, insert, newMessage, token } from "./outgoing-messages.ts";

/** The part of the `OutgoingJournal` contract about several accounts (spec 6.3). */
export const outgoingAccountsContract = (name: string, live: Layer.Layer<OutgoingJournal, unknown>) =>
  layer(live)(`${name}, account by account`, (it) => {
    it.effect("leaves slots for other accounts beside one with many messages [S6.3-6]", () =>
      Effect.gen(function* () {
        const journal = yield* OutgoingJournal;
        const at = yield* idleMoment;
        const busy = yield* freshAccount;
        const many = yield* Effect.forEach(Array.from({ length: MAX_IN_FLIGHT_PER_ACCOUNT * 2 }), (_, n) =>
          insert(at + n, { account: busy }),
        );
        const other = yield* insert(at + 100);
        const now = at + 100;
        const claimAll = Effect.fnUntraced(function* (by: string) {
          const ids: Array<string> = [];
          for (let some = yield* claim(now, by, 6); some.length > 0; some = yield* claim(now, by, 6)) ids.push(...some);
          return ids;
        });
        const first = token();
        const share = many.slice(0, MAX_IN_FLIGHT_PER_ACCOUNT).map(({ id }) => id);
        assert.deepStrictEqual(yield* claimAll(first), [...share, other.id]);
        const leaseEnds = Option.some(now + 1_000);
        assert.deepStrictEqual(yield* journal.nextDue, leaseEnds, "withheld messages are not due");
        const wakeUps = { count: 0 };
        const sleeper = Effect.andThen(
          journal.changed,
          Effect.sync(() => wakeUps.count++),
        );
        yield* Effect.forkChild(Effect.forever(sleeper));
        yield* Effect.repeat(Effect.yieldNow, { times: 10 });
        const before = wakeUps.count;
        assert.isTrue(yield* journal.save(finished(many[0]!), first, "release"));
        yield* Effect.repeat(Effect.yieldNow, { until: () => wakeUps.count > before });
        assert.deepStrictEqual(yield* claimAll(token()), [many[MAX_IN_FLIGHT_PER_ACCOUNT]!.id]);
        const second = token();
        const taken = (yield* journal.claim(now + 1_000, { token: second, until: now + 9_000 }, 100)).map(
          ({ id }) => id,
        );
        assert.sameMembers(taken, [...share.slice(1), many[MAX_IN_FLIGHT_PER_ACCOUNT]!.id, other.id]);
        while (yield* journal.erase(busy, 100));
        yield* journal.erase(other.account, 100);
      }),
    );

    it.effect("finds the messages to an address in any case, newest first, until they are deleted", () =>
      Effect.gen(function* () {
        const journal = yield* OutgoingJournal;
        const at = yield* idleMoment;
        const account = yield* freshAccount;
        const to = (...addresses: ReadonlyArray<string>) => ({
          account,
          attemptAt: null,
          recipients: addresses.map((address) => ({ address, state: "sent", reply: null }) as const),
        });
        const first = yield* insert(at, to("Ann@Example.com", "bob@example.com"));
        const second = yield* insert(at + 1, to("ann@example.com", "ANN@example.com"));
        yield* insert(at + 2, to("carol@example.com"));
        yield* insert(at + 3, { ...to("ann@example.com"), account: yield* freshAccount });
        const found = Effect.fnUntraced(function* (addresses: ReadonlyArray<string>, since = at) {
          return (yield* journal.findSentTo(account, addresses, since)).map(({ id }) => id);
        });
        assert.deepStrictEqual(yield* found(["<ANN@example.com>", "bob@example.com"]), [second.id, first.id]);
        assert.deepStrictEqual(yield* journal.findSentTo(account, ["bob@example.com"], at), [first]);
        assert.deepStrictEqual(yield* found(["ann@example.com"], at + 1), [second.id]);
        assert.deepStrictEqual(yield* found([]), []);
        assert.deepStrictEqual(yield* found(["nul\0@example.com", "dave@example.com"]), []);
        while (yield* journal.erase(account, 1));
        assert.deepStrictEqual(yield* found(["ann@example.com", "bob@example.com"]), []);
      }),
    );

    it.effect("lists each message after a place once, also those of equal age", () =>
      Effect.gen(function* () {
        const journal = yield* OutgoingJournal;
        const at = yield* idleMoment;
        const account = yield* freshAccount;
        const put = (age: number) => {
          const message = finished(newMessage(account, at + age));
          return Effect.as(journal.insert(message, CONTENTS, null), message.id);
        };
        const ids = yield* Effect.forEach([0, 0, 0, 1, 2], put);
        const seen: Array<string> = [];
        for (let after: { at: number; id: string } | undefined; ;) {
          const page: ReadonlyArray<OutgoingMessage> = (yield* journal.list({ account }, at, 2, after)).map(
            ({ message }) => message,
          );
          seen.push(...page.map(({ id }) => id));
          // A newer message does not shift the following entries.
          yield* put(100);
          if (page.length < 2) break;
          after = { at: page[1]!.createdAt, id: page[1]!.id };
        }
        assert.deepStrictEqual(seen.toSorted(), ids.toSorted());
      }),
    );
  });
