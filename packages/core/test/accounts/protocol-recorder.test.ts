import { assert, describe, it } from "@effect/vitest";
import { DateTime, Effect, Fiber, Layer, Option, Redacted } from "effect";
import { TestClock } from "effect/testing";
import { AccountDirectory, Accounts, newAccount, ProtocolLogs, ProtocolRecorder } from "../../src/accounts/index.ts";
import { AccountProtocolLog } from "../../src/accounts/protocol-log/AccountProtocolLog.ts";
import { type Recording, ProtocolRecorderInProcess } from "../../src/accounts/protocol-log/ProtocolRecorder.ts";
import type { MailServer } from "../../src/mail/index.ts";
import { AccountId, StoreUnavailable } from "../../src/shared/index.ts";
import { AccountWatches, FollowedMailboxes } from "../../src/watch/index.ts";
import { noTransaction, numberedIds, readableIds } from "../doubles.ts";

declare const TextEncoder: new () => { encode(text: string): Uint8Array };

const NOW = 1_900_000_000_000;
const MINUTE = 60_000;
const ME = AccountId("me@postern.test");
const OTHER = AccountId("other@postern.test");
const SERVER: MailServer = { host: "mail.test", port: 993, tls: "implicit", origin: "account" };
const bytesOf = (text: string) => new TextEncoder().encode(text);
const at = (time: number) => DateTime.formatIso(DateTime.makeUnsafe(time));

/** A recorder of the node `id10`, at `NOW`. */
const recorder = Layer.provideMerge(
  Layer.provide(ProtocolRecorderInProcess, numberedIds),
  Layer.effectDiscard(TestClock.setTime(NOW)),
);

const opened = (recording: Recording | undefined): Recording => recording ?? assert.fail("is not recorded");
const untilThen = (until: number) => [{ account: ME, until }];

describe("a recorder", () => {
  it.effect("records the connections of an account that are opened until the end of its log [S10.5-6]", () =>
    Effect.gen(function* () {
      const { open, isRecorded: records, follow, take, waiting } = yield* ProtocolRecorder;
      const openOne = (account: AccountId) => open(account, "imap", SERVER, []);
      assert.isUndefined(openOne(ME));
      yield* follow(untilThen(NOW + MINUTE));
      assert.deepStrictEqual([records(ME), records(OTHER)], [true, false]);
      assert.isUndefined(openOne(OTHER));
      const connection = opened(openOne(ME));
      yield* TestClock.setTime(NOW + MINUTE - 1);
      connection.note("closed by the server");
      yield* TestClock.setTime(NOW + MINUTE);
      assert.isFalse(records(ME));
      assert.isUndefined(openOne(ME));
      connection.note("is not recorded");
      assert.deepStrictEqual(yield* waiting, [ME]);
      assert.deepStrictEqual(yield* take(ME), {
        lines: [
          `${at(NOW)} id10 imap#1 *: connecting to mail.test:993 (implicit)`,
          `${at(NOW + MINUTE - 1)} id10 imap#1 *: closed by the server`,
        ],
        count: 2,
      });
      assert.deepStrictEqual(yield* take(ME), { lines: [], count: 0 });
      assert.deepStrictEqual(yield* waiting, []);
    }).pipe(Effect.provide(recorder)),
  );

  it.effect("reads each protocol, numbers connections, and shows no line with a credential [S10.5-9]", () =>
    Effect.gen(function* () {
      const { open, follow, take } = yield* ProtocolRecorder;
      yield* follow(untilThen(NOW + MINUTE));
      const secrets = [Redacted.make("hunter2")];
      const imap = opened(open(ME, "imap", SERVER, secrets));
      const smtp = opened(open(ME, "smtp", SERVER, secrets));
      imap.received(bytesOf("* OK hunter2\r\n"));
      imap.sent(bytesOf("1 NOOP\r\n"));
      imap.received(bytesOf("1 OK half"));
      imap.note("cut");
      smtp.received(bytesOf("220 mx\r\n"));
      smtp.sent(bytesOf("EHLO a\r\n"));
      smtp.sentContents(17);
      smtp.note("closed");
      const { lines } = yield* take(ME);
      assert.deepStrictEqual(
        lines.map((line) => line.slice(`${at(NOW)} id10 `.length)),
        [
          "imap#1 *: connecting to mail.test:993 (implicit)",
          "smtp#2 *: connecting to mail.test:993 (implicit)",
          "imap#1 S: <a line with the credential was removed>",
          "imap#1 C: 1 NOOP",
          "imap#1 *: cut; a line of 9 bytes had no end",
          "smtp#2 S: 220 mx",
          "smtp#2 C: EHLO a",
          "smtp#2 C: <17 removed>",
          "smtp#2 *: closed",
        ],
      );
    }).pipe(Effect.provide(recorder)),
  );

  it.effect("stops at a failure of its own, and says so once, so that the connection goes on", () =>
    Effect.gen(function* () {
      const { open, follow, take } = yield* ProtocolRecorder;
      yield* follow(untilThen(NOW + MINUTE));
      const connection = opened(open(ME, "imap", SERVER, []));
      connection.sent(null as never);
      connection.sent(null as never);
      connection.note("is not recorded");
      const { lines } = yield* take(ME);
      assert.deepStrictEqual(
        lines.map((line) => line.slice(`${at(NOW)} id10 `.length)),
        [
          "imap#1 *: connecting to mail.test:993 (implicit)",
          "imap#1 *: the rest of this connection could not be recorded",
        ],
      );
    }).pipe(Effect.provide(recorder)),
  );

  it.effect("tells its listeners which recordings start and end, until they unsubscribe [S10.5-6]", () =>
    Effect.gen(function* () {
      const { follow, onChange } = yield* ProtocolRecorder;
      const changed: Array<AccountId> = [];
      const of = (...accounts: ReadonlyArray<AccountId>) =>
        Effect.as(follow(accounts.map((account) => ({ account, until: NOW + MINUTE }))), changed.splice(0));
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* onChange((account) => void changed.push(account));
          yield* of(ME);
          assert.deepStrictEqual(changed.splice(0), [ME]);
          yield* of(ME, OTHER);
          assert.deepStrictEqual(changed.splice(0), [OTHER]);
          yield* of(OTHER);
          assert.deepStrictEqual(changed.splice(0), [ME]);
          yield* of(OTHER);
          assert.deepStrictEqual(changed.splice(0), []);
        }),
      );
      yield* of();
      assert.deepStrictEqual(changed, []);
    }).pipe(Effect.provide(recorder)),
  );

  it.effect("reports how many lines did not fit, and how many may not have been written [S10.5-10] [S10.5-12]", () =>
    Effect.gen(function* () {
      const { open, follow, take, noteLost: lost, waiting } = yield* ProtocolRecorder;
      yield* follow(untilThen(NOW + MINUTE));
      const connection = opened(open(ME, "imap", SERVER, []));
      for (let n = 0; n < 2_004; n++) connection.note(String(n));
      const first = yield* take(ME);
      assert.strictEqual(first.lines.length, 2_001);
      assert.strictEqual(first.lines[0], `${at(NOW)} id10 *: 5 lines did not fit`);
      assert.strictEqual(first.lines.at(-1), `${at(NOW)} id10 imap#1 *: 2003`);
      assert.strictEqual(first.count, 2_005);
      yield* lost(ME, first);
      assert.deepStrictEqual(yield* waiting, [ME]);
      yield* TestClock.setTime(NOW + 1);
      connection.note("one more");
      const again = yield* take(ME);
      assert.deepStrictEqual(again, {
        lines: [
          `${at(NOW)} id10 *: up to 2005 lines are missing: they could not be written`,
          `${at(NOW + 1)} id10 imap#1 *: one more`,
        ],
        count: 2_006,
      });
      yield* lost(ME, again);
      yield* lost(ME, { lines: [`${at(NOW + 2)} a`], count: 1 });
      yield* lost(ME, { lines: [], count: 0 });
      assert.deepStrictEqual((yield* take(ME)).lines, [
        `${at(NOW + 2)} id10 *: up to 2007 lines are missing: they could not be written`,
      ]);
    }).pipe(Effect.provide(recorder)),
  );
});

/** Logs by account, with their ends and lines, and the number of reads of the logs. */
const world = () => {
  const logs = new Map<AccountId, { readonly until: number; readonly lines: Array<string> }>();
  const state = { isDown: false, looks: 0, erased: Array<number>() };
  const stored = Layer.succeed(ProtocolLogs, {
    start: (account, until) =>
      Effect.sync(() => void logs.set(account, { lines: logs.get(account)?.lines ?? [], until })),
    listRunning: (now) =>
      Effect.sync(() => {
        state.looks++;
        return [...logs].flatMap(([account, { until }]) => (now < until ? [{ account, until }] : []));
      }),
    find: (account) => Effect.sync(() => Option.map(Option.fromUndefinedOr(logs.get(account)), ({ until }) => until)),
    append: (account, _, lines) =>
      Effect.suspend(() =>
        state.isDown
          ? Effect.fail(new StoreUnavailable({ detail: "away" }))
          : Effect.sync(() => void logs.get(account)?.lines.push(...lines)),
      ),
    lines: (account) => Effect.sync(() => logs.get(account)?.lines ?? []),
    erase: (account) => Effect.sync(() => logs.delete(account)),
    removeEnded: () => Effect.void,
    changed: Effect.never,
  });
  const accounts = Layer.provide(Accounts.layer, [
    Layer.mock(AccountDirectory, {
      find: (account) => Effect.succeed(account === ME ? Option.some(newAccount(ME, NOW)) : Option.none()),
    }),
    Layer.mock(AccountWatches, { isOursAlone: true }),
    Layer.mock(FollowedMailboxes, {}),
    readableIds,
  ]);
  const layer = AccountProtocolLog.layer.pipe(
    Layer.provide([accounts, stored, noTransaction]),
    Layer.provideMerge(recorder),
  );
  return { logs, state, layer };
};

describe("the protocol log of an account", () => {
  it.effect("is recorded from its start, and shown with its end time above its lines [S10.5-2] [S10.5-3]", () => {
    const { layer } = world();
    return Effect.gen(function* () {
      const { start, text } = yield* AccountProtocolLog;
      const { open } = yield* ProtocolRecorder;
      assert.strictEqual((yield* Effect.flip(text(ME)))._tag, "ProtocolLogNotFound");
      assert.strictEqual(yield* start(ME, 1), NOW + MINUTE);
      opened(open(ME, "imap", SERVER, []));
      const [first, second, ...lines] = (yield* text(ME)).split("\n");
      assert.strictEqual(first, `# Protocol log of ${ME}, recorded until ${at(NOW + MINUTE)}`);
      assert.match(second ?? "", /^# time, node, connection/);
      assert.deepStrictEqual(lines, [`${at(NOW)} id10 imap#1 *: connecting to mail.test:993 (implicit)`, ""]);
      yield* TestClock.setTime(NOW + MINUTE);
      assert.match(yield* text(ME), new RegExp(`^# Protocol log of ${ME}, ended at `));
    }).pipe(Effect.provide(layer));
  });

  it.effect("ends when it is deleted, which can be done once [S10.5-4]", () => {
    const { layer } = world();
    return Effect.gen(function* () {
      const { start, end } = yield* AccountProtocolLog;
      const { isRecorded: records } = yield* ProtocolRecorder;
      yield* start(ME, 1);
      assert.strictEqual(yield* end(ME), ME);
      assert.isFalse(records(ME));
      assert.strictEqual((yield* Effect.flip(end(ME)))._tag, "ProtocolLogNotFound");
    }).pipe(Effect.provide(layer));
  });

  it.effect("tells about the lines that a failed write may have lost [S10.5-12]", () => {
    const { layer, state, logs } = world();
    return Effect.gen(function* () {
      const { start, write } = yield* AccountProtocolLog;
      const { open } = yield* ProtocolRecorder;
      yield* start(ME, 1);
      opened(open(ME, "imap", SERVER, []));
      state.isDown = true;
      yield* Effect.flip(write);
      state.isDown = false;
      assert.strictEqual(yield* write, 1);
      assert.strictEqual(yield* write, 0);
      assert.deepStrictEqual(logs.get(ME)?.lines, [
        `${at(NOW)} id10 *: up to 1 lines are missing: they could not be written`,
      ]);
    }).pipe(Effect.provide(layer));
  });

  it.effect("is written once a second while it is recorded, and otherwise causes no reads [S10.5-5] [S10.5-13]", () => {
    const { layer, state } = world();
    return Effect.gen(function* () {
      const { start, worker } = yield* AccountProtocolLog;
      const looks = (fiber: Effect.Effect<unknown>) =>
        Effect.gen(function* () {
          const running = yield* Effect.forkChild(fiber);
          yield* TestClock.adjust("1 millis");
          state.looks = 0;
          yield* TestClock.adjust("10 seconds");
          yield* Fiber.interrupt(running);
          return state.looks;
        });
      assert.strictEqual(yield* looks(worker.run), 0);
      yield* start(ME, 1);
      assert.strictEqual(yield* looks(worker.run), 10);
    }).pipe(Effect.provide(layer));
  });
});
