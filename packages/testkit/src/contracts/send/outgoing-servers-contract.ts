import { assert, layer } from "@effect/vitest";
import { OutgoingJournal } from "@postern/core/send";
import { Effect, type Layer } from "effect";
import { freshAccount } from "../../fixtures/fresh-account.ts";
import { claim, CONTENTS, idleMoment, insert, newMessage, token } from "./outgoing-messages.ts";

/** The part of the `OutgoingJournal` contract about messages that wait for a mail server (spec 6.4). */
export const outgoingServersContract = (name: string, live: Layer.Layer<OutgoingJournal, unknown>) =>
  layer(live)(`${name}, messages that wait for a server`, (it) => {
    it.effect("changes the first due of the messages that wait for a server", () =>
      Effect.gen(function* () {
        const journal = yield* OutgoingJournal;
        const at = yield* idleMoment;
        const server = token();
        const late = yield* insert(at + 3, { waitsFor: server });
        const early = yield* insert(at + 1, { waitsFor: server });
        const middle = yield* insert(at + 2, { waitsFor: server });
        yield* insert(at, { waitsFor: token() });
        const leased = { ...newMessage(yield* freshAccount, at), waitsFor: server };
        yield* journal.insert(leased, CONTENTS, { token: "away", until: at });
        const idsOf = (messages: ReadonlyArray<{ readonly id: string }>) => messages.map(({ id }) => id);
        const change = (message: typeof late) => ({ ...message, attemptAt: at + 5 });
        assert.deepStrictEqual(idsOf(yield* journal.changeWaiting({ server }, change, 2)), [early.id, middle.id]);
        assert.deepStrictEqual(idsOf(yield* journal.changeWaiting({ server }, change, 1)), [late.id]);
        yield* claim(at + 5, token());
      }),
    );

    it.effect("returns whether another unleased message that waits for a server is due by a time", () =>
      Effect.gen(function* () {
        const journal = yield* OutgoingJournal;
        const at = yield* idleMoment;
        const server = token();
        const one = yield* insert(at + 10, { waitsFor: server });
        yield* insert(at, { waitsFor: token() });
        const leased = { ...newMessage(yield* freshAccount, at), waitsFor: server };
        yield* journal.insert(leased, CONTENTS, { token: "away", until: at });
        assert.isTrue(yield* journal.hasProbe(server, "out_other", at + 10));
        assert.isFalse(yield* journal.hasProbe(server, "out_other", at + 9));
        assert.isFalse(yield* journal.hasProbe(server, one.id, at + 10));
        assert.isFalse(yield* journal.hasProbe(token(), "out_other", at + 10));
        const mine = token();
        assert.deepStrictEqual(new Set(yield* claim(at + 10, mine)).has(one.id), true);
        assert.isFalse(yield* journal.hasProbe(server, "out_other", at + 10));
        assert.isTrue(yield* journal.save({ ...one, attemptAt: at + 20 }, mine, "release"));
        assert.isTrue(yield* journal.hasProbe(server, "out_other", at + 20));
        const { waitsFor: _, ...free } = one;
        const again = token();
        yield* journal.claimOne(one.account, one.id, at, { token: again, until: at + 1 });
        assert.isTrue(yield* journal.save(free, again, "release"));
        assert.isFalse(yield* journal.hasProbe(server, "out_other", at + 20));
        yield* claim(at + 1_000, token());
      }),
    );
  });
