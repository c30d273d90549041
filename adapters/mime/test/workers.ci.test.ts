import { assert, it } from "@effect/vitest";
import { AccountId } from "@postern/core/shared";
import { MessageParser, type UnparsedMessage } from "@postern/core/messages";
import { layer } from "@postern/mime";
import { Effect, Fiber } from "effect";
import { describe } from "vitest";

const encoder = new TextEncoder();

const unread = (
  text: string,
  type: "text/plain" | "text/html" = "text/plain",
  header = "Subject: hi",
): UnparsedMessage => ({
  header: encoder.encode(`${header}\r\n\r\n`),
  bodies: [{ group: 0, type, parameters: { charset: "utf-8" }, encoding: "8bit", bytes: encoder.encode(text) }],
  pictures: {},
});

const ONE = AccountId("one@postern.test");
const OTHER = AccountId("other@postern.test");

/** A message that occupies a worker for many seconds. */
const LONG = unread("<a>".repeat(300_000), "text/html");
const SLOW: UnparsedMessage = { ...LONG, bodies: Array.from({ length: 40 }, () => LONG.bodies[0]!) };

/** A worker that sleeps for a second while it starts, and for another second in each job. */
const SLEEPY = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from "node:worker_threads";
    const stand = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
    stand();
    parentPort.on("message", () => {
      stand();
      parentPort.postMessage({ answer: { headers: [], text: "", html: null, blocked: 0 } });
    });
    parentPort.postMessage("ready");
  `)}`,
);

const reasonOf = (key: string, message: UnparsedMessage, account = ONE) =>
  Effect.gen(function* () {
    const read = yield* Effect.result((yield* MessageParser).read(account, key, message));
    return read._tag === "Success" ? "read" : read.failure.reason;
  });

describe("parsing in workers", () => {
  it.live("reads many messages concurrently", () =>
    Effect.gen(function* () {
      const parser = yield* MessageParser;
      const texts = yield* Effect.forEach(
        Array.from({ length: 40 }, (_, n) => n),
        (n) =>
          Effect.map(parser.read(AccountId(`a${n % 3}@postern.test`), `k${n}`, unread(`text ${n}`)), ({ text }) =>
            text.trim(),
          ),
        { concurrency: "unbounded" },
      );
      assert.deepStrictEqual(
        texts,
        Array.from({ length: 40 }, (_, n) => `text ${n}`),
      );
      const report = yield* parser.report(ONE, "r", encoder.encode("Subject: a report\r\n\r\nBody"));
      assert.deepStrictEqual(report.headers, [["Subject", "a report"]]);
    }).pipe(Effect.provide(layer({ timeout: "30 seconds" }))),
  );

  it.live("replaces a worker that hangs, and quarantines a message after three failures [S9.5-1]", () =>
    Effect.gen(function* () {
      for (const _ of [1, 2, 3]) assert.strictEqual(yield* reasonOf("slow", SLOW), "too_slow");
      assert.strictEqual(yield* reasonOf("slow", SLOW), "quarantined");
      assert.strictEqual(yield* reasonOf("slow", unread("harmless")), "quarantined");
    }).pipe(Effect.provide(layer({ timeout: "20 millis", workers: 1 }))),
  );

  it.live("judges a message by the CPU time of its worker, not by the time that a busy machine takes", () =>
    Effect.gen(function* () {
      // The worker sleeps during its start and during its job, as on a machine without a free core.
      assert.strictEqual(yield* reasonOf("x", unread("x")), "read");
    }).pipe(Effect.provide(layer({ timeout: "100 millis", workerUrl: SLEEPY }))),
  );

  it.live(
    "fails as busy, without counting against a message, if the machine is busy for longer than callers wait [S9.5-2]",
    () =>
      Effect.gen(function* () {
        for (const _ of [1, 2, 3, 4]) assert.strictEqual(yield* reasonOf("x", unread("x")), "busy");
      }).pipe(Effect.provide(layer({ timeout: "100 millis", patience: "50 millis", workerUrl: SLEEPY }))),
  );

  it.live("reads a million short lines", () =>
    Effect.gen(function* () {
      const { text } = yield* (yield* MessageParser).read(ONE, "lines", unread("\n".repeat(1_000_000)));
      assert.strictEqual(text.length, 1_000_000);
    }).pipe(Effect.provide(layer({ patience: "5 minutes" }))),
  );

  it.live("fails as busy when no worker is free while a caller waits", () =>
    Effect.gen(function* () {
      const hanging = yield* Effect.forkChild(reasonOf("slow", SLOW), { startImmediately: true });
      assert.strictEqual(yield* reasonOf("fast", unread("x")), "busy");
      assert.strictEqual(yield* Fiber.join(hanging), "busy");
    }).pipe(Effect.provide(layer({ timeout: "2 seconds", patience: "500 millis", workers: 1 }))),
  );

  it.live("leaves a worker to other accounts when messages of one account hang [S9.5-4]", () =>
    Effect.gen(function* () {
      const hanging = yield* Effect.forEach(["a", "b", "c"], (key) =>
        Effect.forkChild(reasonOf(key, SLOW), { startImmediately: true }),
      );
      for (const key of ["x", "y", "z"]) assert.strictEqual(yield* reasonOf(key, unread("x"), OTHER), "read");
      for (const fiber of hanging) assert.isUndefined(fiber.pollUnsafe(), "still being parsed or waiting");
      yield* Fiber.interruptAll(hanging);
    }).pipe(Effect.provide(layer({ timeout: "30 seconds", workers: 2 }))),
  );

  it.live("fails only the message whose worker runs out of memory [S5.3-4]", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* reasonOf("big", unread("<p>".repeat(350_000), "text/html")), "crashed");
      assert.strictEqual(yield* reasonOf("small", unread("x")), "read");
    }).pipe(Effect.provide(layer({ memory: 32, timeout: "30 seconds" }))),
  );

  it.live("ends an idle worker and starts another for the next message", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* reasonOf("a", unread("x")), "read");
      yield* Effect.sleep("1 second");
      assert.strictEqual(yield* reasonOf("b", unread("x")), "read");
    }).pipe(Effect.provide(layer({ idle: "100 millis", timeout: "30 seconds" }))),
  );
});
