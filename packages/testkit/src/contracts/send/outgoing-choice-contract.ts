import { assert, layer } from "@effect/vitest";
import { dueAt, OutgoingJournal, type OutgoingMessage, withdraw } from "@postern/core/send";
import { Effect, type Layer, Option } from "effect";
import { freshAccount } from "../../fixtures/fresh-account.ts";
import { CONTENTS, finished, idleMoment, insert, newMessage, token } from "./outgoing-messages.ts";

type OutgoingFilter = Parameters<OutgoingJournal["Service"]["list"]>[0];

const hold = (message: OutgoingMessage, heldSince: number, heldBy?: "operator"): OutgoingMessage => ({
  ...message,
  heldSince,
  ...(heldBy === undefined ? {} : { heldBy }),
});

const SLICE = { after: "", limit: 100, now: 0 };

/** The part of the `OutgoingJournal` contract about choosing messages by their fields (spec 6.6, 6.7). */
export const outgoingChoiceContract = (name: string, live: Layer.Layer<OutgoingJournal, unknown>) =>
  layer(live)(`${name}, chosen messages`, (it) => {
    const held = (at: number) => (message: OutgoingMessage) => hold(message, at, "operator");

    it.effect("lists messages that match all chosen fields, in their current states [S6.6-12] [S6.7-1]", () =>
      Effect.gen(function* () {
        const journal = yield* OutgoingJournal;
        const at = yield* idleMoment;
        const [account, other] = [yield* freshAccount, yield* freshAccount];
        const author = { key: `k ${token()}`, application: `a ${token()}` };
        const put = Effect.fnUntraced(function* (message: OutgoingMessage, lease: string | null = null) {
          yield* journal.insert(message, CONTENTS, lease === null ? null : { token: lease, until: at + 10 });
          return message.id;
        });
        const one = (change: Partial<OutgoingMessage>) => ({ ...newMessage(account, at), author, ...change });
        const recipient = (state: "sent" | "dot" | "failed" | "unknown" | "cancelled") => ({
          recipients: [{ address: "a@y.test", state, reply: null }],
        });
        const ids = {
          queued: yield* put(one({})),
          scheduled: yield* put(one({ scheduledFor: at })),
          held: yield* put(hold(one({}), at)),
          sending: yield* put(one({}), token()),
          sent: yield* put(finished(one(recipient("sent")))),
          failed: yield* put(finished(one(recipient("failed")))),
          unknown: yield* put(finished(one(recipient("unknown")))),
          cancelled: yield* put(withdraw(one({}))),
        };
        const marked = yield* put(one(recipient("dot")));
        const personal = yield* put(newMessage(account, at));
        const named = newMessage(other, at);
        const foreign = yield* put({ ...named, author, providerMessageId: `<${token()}@provider.test>` });
        const found = Effect.fnUntraced(function* (whose: OutgoingFilter, now = at) {
          return (yield* journal.list(whose, now, 100)).map(({ message }) => message.id).toSorted();
        });
        for (const [state, id] of Object.entries(ids)) {
          const wanted = state === "sending" ? [id, marked].toSorted() : [id];
          const whose = { account, application: author.application, state: state as keyof typeof ids };
          assert.deepStrictEqual(yield* found(whose), wanted, state);
        }
        const mine = [...Object.values(ids), marked];
        assert.deepStrictEqual(yield* found({ key: author.key }), [...mine, foreign].toSorted());
        assert.deepStrictEqual(yield* found({ account, key: author.key }), mine.toSorted());
        assert.deepStrictEqual(yield* found({ account }), [...mine, personal].toSorted());
        assert.deepStrictEqual(yield* found({ account, messageId: named.messageId }), []);
        assert.deepStrictEqual(yield* found({ messageId: named.messageId }), [foreign]);
        // After its lease, no process works on the message.
        const after = { account, state: "queued", application: author.application } as const;
        assert.deepStrictEqual(yield* found(after, at + 10), [ids.queued, ids.sending].toSorted());
        assert.deepStrictEqual(yield* found({ account, key: "nul\0" }), []);
        assert.deepStrictEqual(yield* found({ account, messageId: "nul\0" }), []);
        yield* journal.erase(account, 1_000);
        yield* journal.erase(other, 1_000);
      }),
    );

    it.effect("counts the messages that wait by their states", () =>
      Effect.gen(function* () {
        const journal = yield* OutgoingJournal;
        const at = yield* idleMoment;
        const before = yield* journal.backlog(at);
        const account = yield* freshAccount;
        const lease = { token: token(), until: at + 10 };
        const one = () => ({ ...newMessage(account, 5), attemptAt: at });
        for (const message of [one(), { ...one(), scheduledFor: at }, hold(one(), at), withdraw(one())])
          yield* journal.insert(message, CONTENTS, null);
        for (const message of [one(), hold(one(), at)]) yield* journal.insert(message, CONTENTS, lease);
        const { counts, oldestAt } = yield* journal.backlog(at);
        const more = Object.entries(counts).map(([state, n]) => [
          state,
          n - before.counts[state as keyof typeof counts],
        ]);
        assert.deepStrictEqual(Object.fromEntries(more), { scheduled: 1, queued: 1, held: 1, sending: 2 });
        assert.strictEqual(oldestAt, 5);
        assert.strictEqual((yield* journal.backlog(at + 10)).counts.sending, before.counts.sending);
        yield* journal.erase(account, 100);
      }),
    );

    it.effect("keeps the state through every save", () =>
      Effect.gen(function* () {
        const journal = yield* OutgoingJournal;
        const at = yield* idleMoment;
        const mine = { token: token(), until: at + 10 };
        const message = newMessage(yield* freshAccount, at);
        yield* journal.insert(message, CONTENTS, mine);
        const stateIs = Effect.fnUntraced(function* (state: OutgoingFilter["state"]) {
          assert.lengthOf(yield* journal.list({ account: message.account, state }, at + 100, 2), 1, state);
        });
        yield* stateIs("queued");
        const sent = { ...message, recipients: [{ ...message.recipients[0]!, state: "sent" as const }] };
        yield* journal.save(sent, mine.token, "keep");
        yield* stateIs("sent");
        yield* journal.save(message, mine.token, "release");
        yield* stateIs("queued");
        yield* journal.changeWaiting({ account: message.account }, held(at));
        yield* stateIs("held");
        yield* journal.claimOne(message.account, message.id, at + 20, { ...mine, until: at + 30 });
        yield* journal.save(finished(sent), mine.token, "release");
        yield* stateIs("sent");
      }),
    );

    it.effect("changes chosen messages slice by slice, each once, and no finished one [S6.7-2]", () =>
      Effect.gen(function* () {
        const journal = yield* OutgoingJournal;
        const at = yield* idleMoment;
        const author = { key: token(), application: token() };
        const put = () => insert(at, { author, paused: null });
        const waiting = yield* Effect.replicateEffect(put(), 7);
        const done = yield* insert(at, { author, attemptAt: null });
        const stranger = yield* insert(at);
        const whose = { application: author.application };
        const seen: Array<string> = [];
        const sizes: Array<number> = [];
        for (let after: string | null = ""; after !== null;) {
          const slice: Effect.Success<ReturnType<typeof journal.changeSlice>> = yield* journal.changeSlice(
            whose,
            held(at),
            { ...SLICE, after, limit: 3, asked: "hold" },
          );
          assert.strictEqual(slice.asked, 0);
          sizes.push(slice.changed.length);
          seen.push(...slice.changed.map(({ id }) => id));
          after = slice.last;
        }
        assert.deepStrictEqual([sizes, seen.toSorted()], [[3, 3, 1], waiting.map(({ id }) => id).toSorted()]);
        for (const { account, id } of waiting) {
          const { message } = Option.getOrThrow(yield* journal.find(account, id, at));
          assert.deepInclude(message, { heldSince: at, heldBy: "operator" });
        }
        for (const one of [done, stranger]) {
          assert.deepStrictEqual(Option.getOrThrow(yield* journal.find(one.account, one.id, at)).message, one);
        }
        const cancelled = yield* journal.changeSlice(whose, withdraw, { ...SLICE, asked: "cancel" });
        assert.lengthOf(cancelled.changed, 7);
        for (const { id } of waiting) assert.deepStrictEqual(yield* journal.contents(id), Option.none());
        assert.deepStrictEqual(yield* journal.contents(stranger.id), Option.some(CONTENTS));
        yield* journal.erase(stranger.account, 10);
      }),
    );

    for (const [asked, what, other] of [
      ["hold", "hold", {}],
      ["hold", "hold, of a message that is held for another reason", { heldSince: 1 }],
      ["cancel", "cancel", {}],
    ] as const) {
      const change = asked === "hold" ? held(0) : withdraw;
      it.effect(`gives the pending order of a leased message to the worker that claims it next: ${what} [S6.7-3]`, () =>
        Effect.gen(function* () {
          const journal = yield* OutgoingJournal;
          const at = yield* idleMoment;
          const message = { ...newMessage(yield* freshAccount, at), paused: null };
          const mine = { token: token(), until: at + 1_000 };
          yield* journal.insert(message, CONTENTS, mine);
          const whose = { account: message.account };
          const ask = (order: "hold" | "release" | "cancel") =>
            journal.changeSlice(whose, change, { ...SLICE, now: at, asked: order });
          assert.deepStrictEqual(yield* ask(asked), { changed: [], asked: 1, last: null });
          assert.deepStrictEqual(yield* ask(asked), { changed: [], asked: 0, last: null }, "it is asked already");
          const isAtDot = { ...message, recipients: [{ ...message.recipients[0]!, state: "dot" as const }] };
          assert.isTrue(yield* journal.save(isAtDot, mine.token, "keep"));
          yield* ask("release");
          assert.strictEqual((yield* ask(asked)).asked, asked === "hold" ? 1 : 0, "its attempt may fail after the dot");
          const later = { ...message, ...other, step: 3, attemptAt: at + 60_000 };
          assert.isTrue(yield* journal.save(later, mine.token, "release"));
          const second = { token: token(), until: at + 1_000 };
          const [claimed] = yield* journal.claim(at, second, 10);
          assert.deepStrictEqual(claimed, { ...later, asked });
          const carried = asked === "hold" ? hold(later, at, "operator") : withdraw(later);
          assert.isTrue(yield* journal.save({ ...carried, asked }, second.token, "release"));
          assert.deepStrictEqual(yield* journal.claim(at + 60_000, { token: token(), until: at + 70_000 }, 10), []);
          const kept = Option.getOrThrow(yield* journal.find(message.account, message.id, at));
          assert.deepStrictEqual(kept, { message: carried, leased: false });
          yield* journal.erase(message.account, 10);
        }),
      );
    }

    it.effect("gives the order to release a message to the worker that claims it after its hold [S6.7-3]", () =>
      Effect.gen(function* () {
        const journal = yield* OutgoingJournal;
        const at = yield* idleMoment;
        const message = { ...newMessage(yield* freshAccount, at), paused: null };
        const mine = { token: token(), until: at + 1_000 };
        yield* journal.insert(message, CONTENTS, mine);
        const whose = { account: message.account };
        const ask = (asked: "hold" | "release") => journal.changeSlice(whose, held(at), { ...SLICE, now: at, asked });
        yield* ask("hold");
        assert.strictEqual((yield* ask("release")).asked, 1);
        yield* journal.save(held(at)(message), mine.token, "release");
        const second = { token: token(), until: at + 1_000 };
        assert.deepStrictEqual(yield* journal.claim(at, second, 10), [{ ...held(at)(message), asked: "release" }]);
        const later = { ...message, attemptAt: at + 60_000 };
        yield* journal.save(later, second.token, "release");
        assert.deepStrictEqual(yield* journal.claim(at, { token: token(), until: at + 9 }, 10), []);
        yield* journal.erase(message.account, 10);
      }),
    );

    it.effect(
      "keeps a released message due whose recipients are at the dot, with its pending order [S6.3-4] [S6.7-3]",
      () =>
        Effect.gen(function* () {
          const journal = yield* OutgoingJournal;
          const at = yield* idleMoment;
          const message = newMessage(yield* freshAccount, at);
          const [queued] = message.recipients;
          const left: OutgoingMessage = {
            ...message,
            paused: null,
            recipients: [{ address: "b@y.test", state: "dot", reply: null }, queued!],
          };
          const mine = { token: token(), until: at + 1_000 };
          yield* journal.insert(message, CONTENTS, mine);
          assert.isTrue(yield* journal.save(left, mine.token, "keep"));
          yield* journal.release([left.id], mine.token, at + 5);
          const whose = { account: left.account };
          assert.deepStrictEqual(yield* journal.changeWaiting(whose, withdraw), []);
          const slice = { ...SLICE, now: at + 5 };
          const unordered = yield* journal.changeSlice(whose, held(at), { ...slice, asked: undefined });
          assert.deepStrictEqual(unordered, { changed: [], asked: 0, last: null });
          const ordered = yield* journal.changeSlice(whose, held(at), { ...slice, asked: "hold" });
          assert.deepStrictEqual(ordered, { changed: [], asked: 1, last: null });
          const claimed = yield* journal.claim(at + 5, { token: token(), until: at + 9 }, 10);
          assert.deepStrictEqual(claimed, [{ ...left, asked: "hold" }]);
          yield* journal.erase(left.account, 10);
        }),
    );

    it.effect("forgets a pending order if the message is finished first or the order is withdrawn [S6.7-3]", () =>
      Effect.gen(function* () {
        const journal = yield* OutgoingJournal;
        const at = yield* idleMoment;
        const account = yield* freshAccount;
        const [one, two, three] = [1, 2, 3].map(() => ({ ...newMessage(account, at), paused: null }));
        const mine = { token: token(), until: at + 1_000 };
        for (const message of [one!, two!, three!]) yield* journal.insert(message, CONTENTS, mine);
        const slice = { ...SLICE, now: at };
        yield* journal.changeSlice({ account }, held(at), { ...slice, asked: "hold" });
        yield* journal.save(finished(one!), mine.token, "release");
        const release = { ...slice, asked: "release" as const };
        assert.strictEqual((yield* journal.changeSlice({ account }, held(at), release)).asked, 2);
        const later = { ...two!, attemptAt: at + 500 };
        yield* journal.save(later, mine.token, "release");
        assert.deepStrictEqual(yield* journal.claim(at, { token: token(), until: at + 9 }, 10), []);
        yield* journal.changeSlice({ account }, withdraw, { ...slice, asked: "cancel" });
        // A message with a pending cancellation is not held.
        assert.strictEqual((yield* journal.changeSlice({ account }, held(at), { ...slice, asked: "hold" })).asked, 0);
        assert.strictEqual((yield* journal.changeSlice({ account }, held(at), release)).asked, 0);
        yield* journal.save(hold(three!, at), mine.token, "release");
        const [claimed] = yield* journal.claim(at, { token: token(), until: at + 9 }, 10);
        assert.deepStrictEqual(claimed, { ...hold(three!, at), asked: "cancel" });
        assert.isNotNull(dueAt(claimed!));
        yield* journal.erase(account, 10);
      }),
    );
  });
