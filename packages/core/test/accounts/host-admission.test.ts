import { assert, describe, it } from "@effect/vitest";
import { accountVerifier, verifyServers } from "../../src/lifecycle/verify-account.ts";
import {
  type ConnectionPurpose,
  HostAdmission,
  HostConnections,
  HostLimited,
  ServerProbe,
} from "../../src/accounts/index.ts";
import type { MailServer } from "../../src/mail/index.ts";
import { AccessTokens } from "../../src/oauth/index.ts";
import { AccountId } from "../../src/shared/index.ts";
import { Effect, Fiber, Layer, Metric, Option, Redacted } from "effect";
import { TestClock } from "effect/testing";

const SERVER: MailServer = { host: "imap.test", port: 993, tls: "implicit", origin: "account" };

/** The times of connections by host, latest first. */
const connections = Layer.sync(HostConnections, () => {
  const hosts = new Map<string, ReadonlyArray<number>>();
  return {
    reserve: (host, { connections, windowMillis }, now, latest) =>
      Effect.sync(() => {
        const moments = hosts.get(host) ?? [];
        const turn = Math.max(now, (moments[connections - 1] ?? -Infinity) + windowMillis);
        if (turn > latest) return Option.none();
        hosts.set(
          host,
          [turn, ...moments].toSorted((one, other) => other - one),
        );
        return Option.some(turn);
      }),
    removeOld: () => Effect.void,
  };
});

/** Two connections in five seconds, of which first watches may use one. */
const admission = Layer.provide(HostAdmission.layer({ connections: 2, windowMillis: 5_000 }), connections);

const admit = (purpose: ConnectionPurpose, server = SERVER) =>
  Effect.flatMap(HostAdmission, (hosts) => hosts.admit(server, purpose));

const ofHost = (id: string, host: string) =>
  Effect.map(Metric.snapshot, (all) => all.find((one) => one.id === id && one.attributes?.["host"] === host));

/** The number of connections that wait for their turn at a host; undefined if the host has no metric. */
const waiting = (host: string) =>
  Effect.map(ofHost("mail_host_connections_waiting", host), (found) =>
    found?.type === "Gauge" ? found.state.value : undefined,
  );

/** The finished waits for a turn at a host, in seconds. */
const waited = (host: string) =>
  Effect.map(ofHost("mail_host_wait_seconds", host), (found) =>
    found?.type === "Histogram" ? found.state : undefined,
  );

describe("the limit of connections per mail host", () => {
  it.effect("lets requests wait for ten seconds at most [S10.3-42]", () =>
    Effect.gen(function* () {
      const all = yield* Effect.forEach(Array.from({ length: 7 }), () =>
        Effect.forkChild(Effect.result(admit("request")), { startImmediately: true }),
      );
      const done = () => all.filter((fiber) => fiber.pollUnsafe() !== undefined).length;
      assert.strictEqual(done(), 3, "two turns, and the seventh refused");
      yield* TestClock.adjust("4999 millis");
      assert.strictEqual(done(), 3);
      yield* TestClock.adjust("1 millis");
      assert.strictEqual(done(), 5);
      yield* TestClock.adjust("5 seconds");
      const results = yield* Effect.forEach(all, (fiber) => Fiber.join(fiber));
      const refused = results.filter((result) => result._tag === "Failure");
      assert.lengthOf(refused, 1);
      assert.strictEqual(refused[0]!.failure._tag, "HostLimited");
    }).pipe(Effect.provide(admission)),
  );

  it.effect("lets watches wait as long as it takes, behind requests [S10.3-41]", () =>
    Effect.gen(function* () {
      yield* admit("watch");
      yield* admit("request");
      const second = yield* Effect.forkChild(admit("watch"), { startImmediately: true });
      assert.isUndefined(second.pollUnsafe());
      for (let n = 0; n < 20; n++) {
        yield* Effect.forkChild(Effect.ignore(admit("request")), { startImmediately: true });
        yield* TestClock.adjust("1 second");
      }
      assert.isUndefined(second.pollUnsafe(), "requests keep going first");
      yield* TestClock.adjust("30 seconds");
      assert.isDefined(second.pollUnsafe());
    }).pipe(Effect.provide(admission)),
  );

  it.effect("measures waits by host, and names at most 50 hosts", () =>
    Effect.gen(function* () {
      const hosts = Array.from({ length: 52 }, (_, n) => `IMAP${n}.test`);
      for (const host of hosts) yield* Effect.forEach([1, 2], () => admit("request", { ...SERVER, host }));
      const waits = yield* Effect.forEach(hosts, (host) =>
        Effect.forkChild(admit("request", { ...SERVER, host }), { startImmediately: true }),
      );
      const watch = yield* Effect.forkChild(admit("watch", { ...SERVER, host: "imap0.test" }), {
        startImmediately: true,
      });
      assert.deepEqual(
        [yield* waiting("imap0.test"), yield* waiting("imap49.test"), yield* waiting("other")],
        [2, 1, 2],
      );
      assert.isUndefined(yield* waiting("imap50.test"));
      yield* TestClock.adjust("30 seconds");
      yield* Effect.forEach([...waits, watch], (fiber) => Fiber.join(fiber));
      assert.strictEqual(yield* waiting("imap0.test"), 0);
      const { count, sum } = (yield* waited("imap49.test"))!;
      assert.deepEqual([count, sum], [1, 5]);
      assert.strictEqual((yield* waited("other"))?.count, 2);
    }).pipe(Effect.provide(admission), Effect.provideService(Metric.MetricRegistry, new Map())),
  );

  it.effect("lets a watch of a crashed node go before the first watches of 1,000 new accounts [S10.3-41]", () =>
    Effect.gen(function* () {
      const first = yield* Effect.forEach(Array.from({ length: 1_000 }), () =>
        Effect.forkChild(admit("first watch"), { startImmediately: true }),
      );
      const admitted = () => first.filter((fiber) => fiber.pollUnsafe() !== undefined).length;
      const takeovers = yield* Effect.forEach(Array.from({ length: 6 }), () =>
        Effect.forkChild(admit("watch"), { startImmediately: true }),
      );
      assert.strictEqual(admitted(), 1);
      assert.isDefined(takeovers[0]!.pollUnsafe(), "a share of the limit is free");
      yield* TestClock.adjust("18 seconds");
      assert.isUndefined(takeovers.find((fiber) => fiber.pollUnsafe() === undefined));
      assert.strictEqual(admitted(), 1);
      yield* TestClock.adjust("10 seconds");
      assert.isAbove(admitted(), 1, "they go on afterwards");
    }).pipe(Effect.provide(admission)),
  );

  it.effect("lets first watches use four fifths of it, and one connection at least [S10.3-41]", () =>
    Effect.gen(function* () {
      for (const [limit, expected] of [
        [10, 8],
        [9, 7],
        [1, 1],
      ] as const) {
        const admitted = yield* Effect.gen(function* () {
          const first = yield* Effect.forEach(Array.from({ length: 12 }), () =>
            Effect.forkChild(admit("first watch"), { startImmediately: true }),
          );
          return first.filter((fiber) => fiber.pollUnsafe() !== undefined).length;
        }).pipe(
          Effect.provide(Layer.provide(HostAdmission.layer({ connections: limit, windowMillis: 5_000 }), connections)),
        );
        assert.strictEqual(admitted, expected);
      }
    }),
  );

  it.effect("lets a request wait until its turn, whatever the time", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_900_000_000_000);
      yield* admit("request");
      yield* admit("request");
      const third = yield* Effect.forkChild(admit("request"), { startImmediately: true });
      yield* TestClock.adjust("4999 millis");
      assert.isUndefined(third.pollUnsafe());
      yield* TestClock.adjust("1 millis");
      assert.isDefined(third.pollUnsafe());
    }).pipe(Effect.provide(admission)),
  );

  it.effect("does not apply to the servers of the operator [S10.3-40]", () =>
    Effect.gen(function* () {
      for (let n = 0; n < 50; n++) yield* admit("request", { ...SERVER, origin: "operator" });
      yield* admit("request");
    }).pipe(Effect.provide(admission)),
  );

  it.effect("refuses the verification of an account before it contacts a server", () =>
    Effect.gen(function* () {
      const verifier = yield* accountVerifier;
      const credential = { _tag: "Password" as const, username: "jane@example.org", password: Redacted.make("secret") };
      const refused = yield* Effect.flip(
        verifyServers(verifier, AccountId("jane@example.org"), { imap: SERVER, smtp: SERVER }, credential),
      );
      assert.strictEqual(refused._tag, "HostLimited");
    }).pipe(
      Effect.provide(
        Layer.mergeAll(
          Layer.mock(AccessTokens, {}),
          Layer.succeed(HostAdmission, { admit: () => Effect.fail(new HostLimited()) }),
          Layer.succeed(ServerProbe, { imap: () => Effect.die("contacted"), smtp: () => Effect.die("contacted") }),
        ),
      ),
    ),
  );
});
