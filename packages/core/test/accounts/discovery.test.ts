import { assert, describe, it } from "@effect/vitest";
import { Clock, Effect, Exit, Fiber, Layer } from "effect";
import { TestClock } from "effect/testing";
import {
  AccountSettings,
  Discovery,
  DiscoverySources,
  type NamedServers,
  NO_SERVERS,
} from "../../src/accounts/index.ts";
import { AccountId } from "../../src/shared/index.ts";

const JANE = AccountId("jane@customer.example");
const ANY: typeof AccountSettings.Service = { mode: "any", servers: null, domains: [], signInDomains: [] };
const OPERATORS = {
  imap: { host: "imap.operator.example", port: 993, tls: "implicit", origin: "operator" },
  smtp: { host: "smtp.operator.example", port: 465, tls: "implicit", origin: "operator" },
} as const;
const FOUND: NamedServers = {
  imap: [{ host: "imap.found.example", port: 993, tls: "implicit" }],
  smtp: [{ host: "smtp.found.example", port: 465, tls: "implicit" }],
  signIn: [],
};

/** Sources that record their questions, and return the given answers, by default none. */
const discoveryOver = (answers: Partial<DiscoverySources["Service"]> = {}, settings = ANY) => {
  const asked: Array<string> = [];
  const none = (source: string) => (domain: string) =>
    Effect.sync(() => {
      asked.push(`${source} ${domain}`);
      return NO_SERVERS;
    });
  const sources = DiscoverySources.of({
    autoconfig: none("autoconfig"),
    srv: none("srv"),
    ispdb: none("ispdb"),
    mx: (domain) => Effect.as(none("mx")(domain), []),
    ...answers,
  });
  const live = Discovery.layer.pipe(
    Layer.provide(Layer.succeed(DiscoverySources, sources)),
    Layer.provide(Layer.succeed(AccountSettings, settings)),
  );
  return { asked, live };
};

const hostsOf = Effect.fnUntraced(function* (account: AccountId) {
  const discovery = yield* Discovery;
  return (yield* discovery.of(account)).map(({ source, imap }) => `${source} ${imap.host}`);
});

describe("Discovery", () => {
  it.effect("takes an address in any case, and refuses another text without asking a source", () => {
    const { asked, live } = discoveryOver();
    return Effect.gen(function* () {
      const { ofAddress } = yield* Discovery;
      for (const [email, tag] of [
        ["jane", "AddressMalformed"],
        ["jane@", "AddressMalformed"],
        [`jane@${"x".repeat(2_000)}`, "InputInvalid"],
      ] as const) {
        assert.strictEqual((yield* Effect.flip(ofAddress(email)))._tag, tag);
      }
      assert.deepStrictEqual(asked, []);
      const [best] = yield* ofAddress("Jane@Customer.example");
      assert.strictEqual(best.imap.host, "imap.customer.example");
    }).pipe(Effect.provide(live));
  });

  it.effect("answers within 2 seconds although all sources are silent, and interrupts them [S10.3-4]", () => {
    let interrupted = 0;
    const silent = Effect.onInterrupt(Effect.never, () => Effect.sync(() => interrupted++));
    const { live } = discoveryOver({
      autoconfig: () => silent,
      srv: () => silent,
      ispdb: () => silent,
      mx: () => silent,
    });
    return Effect.gen(function* () {
      const answer = yield* Effect.forkChild(hostsOf(JANE));
      yield* TestClock.adjust("2 seconds");
      const exit = answer.pollUnsafe();
      assert.isTrue(exit !== undefined && Exit.isSuccess(exit) && exit.value[0] === "guess imap.customer.example");
      assert.strictEqual(interrupted, 4);
    }).pipe(Effect.provide(live));
  });

  it.effect("keeps the answer of a source although another is silent", () => {
    const { live } = discoveryOver({ autoconfig: () => Effect.never, srv: () => Effect.succeed(FOUND) });
    return Effect.gen(function* () {
      const answer = yield* Effect.forkChild(hostsOf(JANE));
      yield* TestClock.adjust("2 seconds");
      assert.deepStrictEqual(yield* Fiber.join(answer), ["srv imap.found.example"]);
    }).pipe(Effect.provide(live));
  });

  it.effect("asks all sources at the same time", () => {
    const late = <A>(answer: A) => Effect.delay(Effect.succeed(answer), "1 second");
    const { live } = discoveryOver({
      autoconfig: () => late(FOUND),
      srv: () => late(NO_SERVERS),
      ispdb: () => late(NO_SERVERS),
      mx: () => late([]),
    });
    return Effect.gen(function* () {
      const started = yield* Clock.currentTimeMillis;
      const answer = yield* Effect.forkChild(hostsOf(JANE));
      yield* TestClock.adjust("1 second");
      assert.deepStrictEqual(yield* Fiber.join(answer), ["autoconfig imap.found.example"]);
      assert.strictEqual((yield* Clock.currentTimeMillis) - started, 1_000);
    }).pipe(Effect.provide(live));
  });

  it.effect("asks at most 256 sources at a time, and answers within 2 seconds while others wait", () => {
    let [asked, most] = [0, 0];
    const silent = Effect.suspend(() => {
      most = Math.max(most, ++asked);
      return Effect.onInterrupt(Effect.never, () => Effect.sync(() => asked--));
    });
    const { live } = discoveryOver({ autoconfig: () => silent, srv: () => silent });
    return Effect.gen(function* () {
      const domains = Array.from({ length: 300 }, (_, n) => AccountId(`jane@customer${n}.example`));
      const answers = yield* Effect.forkChild(Effect.forEach(domains, hostsOf, { concurrency: "unbounded" }));
      yield* TestClock.adjust("2 seconds");
      const exit = answers.pollUnsafe();
      assert.isTrue(exit !== undefined && Exit.isSuccess(exit) && exit.value.length === 300);
      assert.strictEqual(most, 256);
    }).pipe(Effect.provide(live));
  });

  it.effect("asks each source once per domain, without the local part, until the answer expires", () => {
    const { asked, live } = discoveryOver();
    return Effect.gen(function* () {
      yield* Effect.all([hostsOf(JANE), hostsOf(AccountId("john@customer.example"))], { concurrency: "unbounded" });
      const once = ["autoconfig", "ispdb", "mx", "srv"].map((source) => `${source} customer.example`);
      assert.deepStrictEqual(asked.toSorted(), once);
      yield* TestClock.adjust("31 seconds");
      yield* hostsOf(JANE);
      assert.strictEqual(asked.length, 8, "nothing found is kept for 30 seconds");
    }).pipe(Effect.provide(live));
  });

  it.effect("keeps found servers for five minutes", () => {
    let asked = 0;
    const { live } = discoveryOver({ srv: () => Effect.sync(() => (asked++, FOUND)) });
    return Effect.gen(function* () {
      yield* hostsOf(JANE);
      yield* TestClock.adjust("4 minutes");
      yield* hostsOf(JANE);
      assert.strictEqual(asked, 1);
      yield* TestClock.adjust("2 minutes");
      yield* hostsOf(JANE);
      assert.strictEqual(asked, 2);
    }).pipe(Effect.provide(live));
  });

  it.effect("does not fail other requests for a domain when the first is interrupted", () => {
    const { live } = discoveryOver({ srv: () => Effect.delay(Effect.succeed(FOUND), "1 second") });
    return Effect.gen(function* () {
      const first = yield* Effect.forkChild(hostsOf(JANE));
      yield* TestClock.adjust("100 millis");
      const second = yield* Effect.forkChild(hostsOf(JANE));
      yield* TestClock.adjust("100 millis");
      yield* Fiber.interrupt(first);
      yield* TestClock.adjust("1 second");
      assert.deepStrictEqual(yield* Fiber.join(second), ["srv imap.found.example"]);
    }).pipe(Effect.provide(live));
  });

  it.effect("asks no source about a known provider", () => {
    const { asked, live } = discoveryOver();
    return Effect.gen(function* () {
      assert.deepStrictEqual(yield* hostsOf(AccountId("jane@gmail.com")), ["known_provider imap.gmail.com"]);
      assert.deepStrictEqual(asked, []);
    }).pipe(Effect.provide(live));
  });

  it.effect("proposes the operator's servers alone for the operator's domains", () => {
    const { asked, live } = discoveryOver(
      {},
      { ...ANY, servers: OPERATORS, domains: ["customer.example", "gmail.com"] },
    );
    return Effect.gen(function* () {
      for (const account of [JANE, AccountId("jane@gmail.com")]) {
        const [candidate, ...others] = yield* (yield* Discovery).of(account);
        assert.deepInclude(candidate, { source: "operator", ...OPERATORS });
        assert.deepStrictEqual(others, []);
      }
      assert.deepStrictEqual(asked, []);
    }).pipe(Effect.provide(live));
  });
});
