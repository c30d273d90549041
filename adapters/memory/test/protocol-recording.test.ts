import { assert, describe, it } from "@effect/vitest";
import {
  AccountProtocolLog,
  Accounts,
  ProtocolLogs,
  ProtocolRecorder,
  ProtocolRecorderInProcess,
  type Recording,
} from "@postern/core/accounts";
import type { MailServer } from "@postern/core/mail";
import { AccountId, StoreUnavailable } from "@postern/core/shared";
import { EntropyInMemory, StoresInMemory } from "@postern/memory";
import { Context, Effect, Exit, Fiber, Layer, Option, Redacted } from "effect";
import { TestClock } from "effect/testing";

const JANE = AccountId("jane@example.org");
const BOB = AccountId("bob@example.org");
const SERVER: MailServer = { host: "imap.test", port: 993, tls: "implicit", origin: "account" };

const recorder = Layer.provide(ProtocolRecorderInProcess, EntropyInMemory);
const log = Layer.provide(AccountProtocolLog.layer, Layer.mock(Accounts, { idOf: () => Option.none() }));
const live = log.pipe(Layer.provideMerge(recorder), Layer.provideMerge(StoresInMemory));

/** Makes the store of logs refuse, hang or accept appends. */
class Refusals extends Context.Service<
  Refusals,
  { readonly refuse: Effect.Effect<void>; readonly hang: Effect.Effect<void>; readonly accept: Effect.Effect<void> }
>()("test/Refusals") {}

const refusingLogs = Layer.effectContext(
  Effect.gen(function* () {
    const logs = yield* ProtocolLogs;
    let before: Effect.Effect<void, StoreUnavailable> = Effect.void;
    const become = (next: typeof before) => Effect.sync(() => void (before = next));
    return Context.make(Refusals, {
      refuse: become(Effect.fail(new StoreUnavailable({ detail: "down" }))),
      hang: become(Effect.never),
      accept: become(Effect.void),
    }).pipe(
      Context.add(ProtocolLogs, {
        ...logs,
        append: (...args) =>
          Effect.andThen(
            Effect.suspend(() => before),
            logs.append(...args),
          ),
      }),
    );
  }),
);

const refusing = log.pipe(
  Layer.provideMerge(recorder),
  Layer.provideMerge(Layer.provide(refusingLogs, StoresInMemory)),
  Layer.provide(StoresInMemory),
);

const opened = (account: AccountId, secret = "hunter2") =>
  Effect.map(ProtocolRecorder, ({ open }) => open(account, "imap", SERVER, [Redacted.make(secret)]));

const bytes = (text: string) => new TextEncoder().encode(text);

/** Returns the lines of an account without timestamps and the name of the node. */
const shown = (account: AccountId) =>
  Effect.gen(function* () {
    yield* (yield* AccountProtocolLog).write;
    const lines = yield* (yield* ProtocolLogs).lines(account);
    return lines.map((line) => line.replace(/^\S+ \S+ /, ""));
  });

describe("the recording of accounts", () => {
  it.effect(
    "begins when a log is started and ends with it, for connections opened in between [S10.5-6] [S10.5-13]",
    () =>
      Effect.gen(function* () {
        const [logs, { write }, { isRecorded: records, onChange }] = [
          yield* ProtocolLogs,
          yield* AccountProtocolLog,
          yield* ProtocolRecorder,
        ];
        const changes: Array<AccountId> = [];
        yield* onChange((account) => changes.push(account));
        assert.isUndefined(yield* opened(JANE));

        yield* logs.start(JANE, 60_000);
        yield* write;
        assert.deepStrictEqual([records(JANE), records(BOB), changes], [true, false, [JANE]]);
        assert.isUndefined(yield* opened(BOB));
        const recording = (yield* opened(JANE))!;
        recording.received(bytes("* OK ready\r\n"));
        recording.sent(bytes("1 LOGIN jane hunter2\r\n"));
        recording.received(bytes("1 NO jane has not hunter2\r\n* 1 FETCH (BODY[] {50}\r\nab"));
        recording.sentContents(7);
        recording.note("closed");
        const all = [
          "imap#1 *: connecting to imap.test:993 (implicit)",
          "imap#1 S: * OK ready",
          "imap#1 C: 1 LOGIN <removed>",
          "imap#1 S: <a line with the credential was removed>",
          "imap#1 S: * 1 FETCH (BODY[] {50}",
          "imap#1 C: <7 removed>",
          "imap#1 *: closed; 48 of 50 bytes of a literal were missing",
        ];
        assert.deepStrictEqual(yield* shown(JANE), all);

        yield* TestClock.adjust("1 minute");
        recording.sent(bytes("2 NOOP\r\n"));
        assert.deepStrictEqual([records(JANE), yield* opened(JANE)], [false, undefined]);
        yield* write;
        assert.deepStrictEqual(changes, [JANE, JANE], "so that its connections are closed");
        assert.deepStrictEqual(yield* shown(JANE), all, "the log stays");
      }).pipe(Effect.scoped, Effect.provide(live)),
  );

  it.effect(
    "continues while the worker runs: lines are written within a second, and a started log is noticed [S10.5-5]",
    () =>
      Effect.gen(function* () {
        const [logs, { worker }, { isRecorded: records }] = [
          yield* ProtocolLogs,
          yield* AccountProtocolLog,
          yield* ProtocolRecorder,
        ];
        const running = yield* Effect.forkChild(worker.run, { startImmediately: true });
        yield* TestClock.adjust("1 second");
        yield* logs.start(JANE, 3_600_000);
        yield* TestClock.adjust("1 second");
        assert.isTrue(records(JANE));
        yield* opened(JANE);
        yield* TestClock.adjust("1 second");
        assert.lengthOf(yield* logs.lines(JANE), 1);
        yield* opened(JANE);
        yield* worker.drain("1 second");
        assert.lengthOf(yield* logs.lines(JANE), 2);
        yield* logs.erase(JANE);
        yield* TestClock.adjust("1 second");
        assert.isFalse(records(JANE));
        yield* Fiber.interrupt(running);
      }).pipe(Effect.provide(live)),
  );

  it.effect("keeps a bounded number of lines until the next write, and counts the others [S10.5-10]", () =>
    Effect.gen(function* () {
      const logs = yield* ProtocolLogs;
      yield* logs.start(JANE, 60_000);
      yield* (yield* AccountProtocolLog).write;
      const { received } = (yield* opened(JANE))!;
      received(bytes("* OK\r\n"));
      for (let n = 0; n < 50; n++) received(bytes(`* ${n} EXISTS\r\n`.repeat(100)));
      const lines = yield* shown(JANE);
      assert.isAtMost(lines.length, 2_001);
      assert.match(lines[0]!, /^\*: \d+ lines did not fit$/);
      assert.strictEqual(lines.at(-1), "imap#1 S: * 49 EXISTS");
    }).pipe(Effect.provide(live)),
  );

  it.effect(
    "says how many lines may be missing when the database did not take them, also of several writes [S10.5-12]",
    () =>
      Effect.gen(function* () {
        const [logs, { write }] = [yield* ProtocolLogs, yield* AccountProtocolLog];
        for (const account of [BOB, JANE]) yield* logs.start(account, 60_000);
        yield* write;
        const [bobs, janes] = [(yield* opened(BOB))!, (yield* opened(JANE))!];
        bobs.received(bytes("* OK ready\r\n"));
        janes.received(bytes("* OK ready\r\n"));
        yield* (yield* Refusals).refuse;
        assert.isTrue(Exit.isFailure(yield* Effect.exit(write)));
        yield* (yield* Refusals).accept;
        yield* TestClock.adjust("1 second");
        bobs.received(bytes("* 5 EXISTS\r\n"));
        const missing = (count: number) => `*: up to ${count} lines are missing: they could not be written`;
        assert.deepStrictEqual(yield* shown(BOB), [missing(2), "imap#1 S: * 5 EXISTS"]);
        const [first = ""] = yield* logs.lines(BOB);
        assert.isTrue(first.startsWith("1970-01-01T00:00:00.000Z"), "where they are missing");
        const whole = ["imap#2 *: connecting to imap.test:993 (implicit)", "imap#2 S: * OK ready"];
        assert.deepStrictEqual(yield* shown(JANE), whole, "those of others were not tried");

        yield* (yield* Refusals).refuse;
        bobs.received(bytes("* 6 EXISTS\r\n".repeat(2_005)));
        for (const _ of ["the lines", "the line about them"]) assert.isTrue(Exit.isFailure(yield* Effect.exit(write)));
        yield* (yield* Refusals).accept;
        assert.deepStrictEqual((yield* shown(BOB)).slice(2), [missing(2_005)]);
        assert.lengthOf(yield* shown(BOB), 3, "says it once");
      }).pipe(Effect.provide(refusing)),
  );

  it.effect("says that lines may be missing when a write was interrupted and no line came since", () =>
    Effect.gen(function* () {
      const [logs, { write }] = [yield* ProtocolLogs, yield* AccountProtocolLog];
      yield* logs.start(JANE, 60_000);
      yield* write;
      yield* opened(JANE);
      yield* (yield* Refusals).hang;
      const writing = yield* Effect.forkChild(write, { startImmediately: true });
      yield* TestClock.adjust("1 second");
      yield* Fiber.interrupt(writing);
      yield* (yield* Refusals).accept;
      assert.deepStrictEqual(yield* shown(JANE), ["*: up to 1 lines are missing: they could not be written"]);
    }).pipe(Effect.provide(refusing)),
  );

  it.effect(
    "never fails a connection: neither without the database nor because of the bytes that it reads [S10.5-12]",
    () =>
      Effect.gen(function* () {
        const { worker } = yield* AccountProtocolLog;
        const recording: Recording = (yield* Effect.flatMap(ProtocolRecorder, ({ follow }) =>
          Effect.andThen(follow([{ account: JANE, until: 60_000 }]), opened(JANE)),
        ))!;
        const running = yield* Effect.forkChild(worker.run, { startImmediately: true });
        for (const broken of [
          "\0".repeat(100_000),
          "* {99999999999999999999}\r\n",
          "\r\n\r\n",
          "* 1 FETCH (((\r\n",
          '"\r\n',
        ]) {
          recording.sent(bytes(broken));
          recording.received(bytes(broken));
          yield* TestClock.adjust("5 seconds");
        }
        recording.sent(undefined as never);
        recording.note("closed");
        assert.isUndefined(running.pollUnsafe());
        yield* Fiber.interrupt(running);
      }).pipe(
        Effect.provide(
          log.pipe(
            Layer.provideMerge(recorder),
            Layer.provide(
              Layer.succeed(ProtocolLogs, {
                start: () => Effect.void,
                listRunning: () => Effect.succeed([{ account: JANE, until: 60_000 }]),
                find: () => Effect.succeed(Option.none()),
                append: () => Effect.fail(new StoreUnavailable({ detail: "down" })),
                lines: () => Effect.succeed([]),
                erase: () => Effect.succeed(false),
                removeEnded: () => Effect.void,
                changed: Effect.never,
              }),
            ),
            Layer.provide(StoresInMemory),
          ),
        ),
      ),
  );
});
