import { assert, describe, it } from "@effect/vitest";
import { Effect, Layer, Option, Redacted } from "effect";
import { TestClock } from "effect/testing";
import { AccountDirectory, AccountUnverified, newAccount } from "../../src/accounts/index.ts";
import { type KeyReach, type ServiceKey, ServiceKeys } from "../../src/auth/index.ts";
import { AccountConnection, type ConnectionError } from "../../src/lifecycle/AccountConnection.ts";
import { DeviceConnections } from "../../src/lifecycle/DeviceConnections.ts";
import {
  appOf,
  Apps,
  AuthorizationServer,
  type ConnectAttempt,
  ConnectAttempts,
  type DevicePoll,
} from "../../src/oauth/index.ts";
import type { DeviceConsent } from "../../src/oauth/neighbours.ts";
import { AccountId } from "../../src/shared/index.ts";
import { numberedIds, readableHashes } from "../doubles.ts";

const NOW = 1_900_000_000_000;
const SECOND = 1_000;
const ME = AccountId("me@postern.test");
const read = appOf({ id: "corp", provider: "google", clientId: "c" });
if ("faults" in read) throw new Error("the app is at fault");
const { app } = read;

const TOKENS = {
  accessToken: Redacted.make("access"),
  expiresIn: 3600,
  refreshToken: Redacted.make("refresh"),
  identity: { issuer: "https://id.example", subject: "1", address: ME } as never,
};
const REQUEST: DeviceConsent["request"] = { address: null, app: "corp", tags: null, reach: ["*@postern.test"] };
const UNVERIFIED = new AccountUnverified({
  imap: { host: "a", port: 1, cause: "auth_refused" },
  smtp: { host: "a", port: 1, cause: null },
  isUnclear: false,
} as never);

/** A provider that answers polls. Records the polls and the connected accounts. */
const world = (request: DeviceConsent["request"] = REQUEST) => {
  const state = {
    attempts: new Map<string, ConnectAttempt>(),
    answer: { _tag: "Pending" } as DevicePoll,
    connects: Effect.succeed(newAccount(ME, NOW)) as Effect.Effect<ReturnType<typeof newAccount>, ConnectionError>,
    /** Runs while the provider is asked. */
    whileAsked: Effect.void as Effect.Effect<void>,
    polls: 0,
    connected: Array<unknown>(),
    keys: new Map<string, Pick<ServiceKey, "expiresAt">>(),
  };
  const layer = DeviceConnections.layer.pipe(
    Layer.provide([
      Layer.mock(Apps, { list: Effect.succeed([]), get: () => Effect.succeed(app) }),
      Layer.mock(AuthorizationServer, {
        startDevice: () =>
          Effect.succeed({
            deviceCode: Redacted.make("device"),
            userCode: "ABCD",
            verificationUrl: "https://id.example/device",
            expiresIn: 600,
            interval: 5,
          } as never),
        pollDevice: () =>
          Effect.andThen(
            Effect.suspend(() => state.whileAsked),
            Effect.sync(() => (state.polls++, state.answer)),
          ),
      }),
      Layer.mock(ConnectAttempts, {
        insert: (attempt) => Effect.sync(() => void state.attempts.set(attempt.id, attempt)),
        find: (id) => Effect.sync(() => Option.fromUndefinedOr(state.attempts.get(id))),
        change: (id, decide) =>
          Effect.sync(() => {
            const attempt = state.attempts.get(id);
            if (attempt === undefined) return Option.none();
            const [told, after] = decide(attempt);
            state.attempts.set(id, after);
            return Option.some(told);
          }),
      }),
      Layer.mock(AccountConnection, {
        byGrant: (_, email, { token, issued, askedAt, delegateOf }, ending) =>
          Effect.suspend(() => state.connects).pipe(
            Effect.tap(ending),
            Effect.tap(Effect.sync(() => state.connected.push({ email, token, issued, askedAt, delegateOf }))),
          ),
      }),
      Layer.mock(AccountDirectory, { find: () => Effect.succeedNone }),
      Layer.mock(ServiceKeys, {
        find: (id) => Effect.sync(() => Option.fromUndefinedOr(state.keys.get(id) as ServiceKey | undefined)),
      }),
      readableHashes,
      numberedIds,
    ]),
  );
  const { address, tags } = request;
  const written = { email: address ?? undefined, provider: request.app, tags: tags ?? undefined };
  const start = Effect.gen(function* () {
    yield* TestClock.setTime(NOW);
    return yield* Effect.flatMap(DeviceConnections, (devices) =>
      devices.start(written, { reach: request.reach, key: request.key ?? null }),
    );
  });
  const lookAt = (id: string, after: number, reach: KeyReach | null = request.reach) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOW + after);
      return yield* Effect.flatMap(DeviceConnections, ({ poll: look }) => look(id, reach));
    });
  const attempt = () => [...state.attempts.values()][0] as DeviceConsent;
  return { state, layer, start, lookAt, attempt };
};

describe("a device authorization", () => {
  it.effect("is handed out without the device code, and kept until it expires [S11.3-17]", () => {
    const { layer, start, attempt } = world();
    return Effect.gen(function* () {
      const { id, ...started } = yield* start;
      assert.deepStrictEqual(started as unknown, {
        userCode: "ABCD",
        verificationUrl: "https://id.example/device",
        expiresIn: 600,
        interval: 5,
      });
      assert.deepStrictEqual(attempt(), {
        _tag: "Device",
        id: `hash of ${id}`,
        expiresAt: NOW + 600 * SECOND,
        request: REQUEST,
        deviceCode: Redacted.make("device"),
        intervalMillis: 5 * SECOND,
        nextPollAt: NOW + 5 * SECOND,
        state: "pending",
        account: null,
      });
    }).pipe(Effect.provide(layer));
  });

  it.effect("asks the provider no sooner than its interval, and five seconds later each time it asks for that", () => {
    const { state, layer, start, lookAt, attempt } = world();
    return Effect.gen(function* () {
      const { id } = yield* start;
      const pollsAt = (after: number) => Effect.map(lookAt(id, after), () => state.polls);
      assert.strictEqual(yield* pollsAt(5 * SECOND - 1), 0);
      assert.strictEqual(yield* pollsAt(5 * SECOND), 1);
      assert.strictEqual(yield* pollsAt(10 * SECOND - 1), 1);
      state.answer = { _tag: "SlowDown" };
      assert.strictEqual(yield* pollsAt(10 * SECOND), 2);
      assert.strictEqual(attempt().intervalMillis, 10 * SECOND);
      state.answer = { _tag: "Pending" };
      assert.strictEqual(yield* pollsAt(20 * SECOND - 1), 2);
      assert.strictEqual(yield* pollsAt(20 * SECOND), 3);
      assert.strictEqual(yield* pollsAt(30 * SECOND - 1), 3);
      assert.strictEqual(yield* pollsAt(30 * SECOND), 4);
    }).pipe(Effect.provide(layer));
  });

  it.effect.each([
    [{ _tag: "Pending" }, "pending"],
    [{ _tag: "Denied" }, "denied"],
    [{ _tag: "Expired" }, "expired"],
  ] as const)("that is answered by %j is %s, and is not asked for again once it ended", ([answer, expected]) => {
    const { state, layer, start, lookAt } = world();
    state.answer = answer;
    return Effect.gen(function* () {
      const { id } = yield* start;
      for (const after of [5, 60]) {
        assert.deepStrictEqual(yield* lookAt(id, after * SECOND), { state: expected, account: null });
      }
      assert.strictEqual(state.polls, expected === "pending" ? 2 : 1);
    }).pipe(Effect.provide(layer));
  });

  it.effect("that is authorized connects the account of the user who consented, and returns it for ten minutes", () => {
    const { state, layer, start, lookAt, attempt } = world();
    state.answer = { _tag: "Authorized", tokens: TOKENS };
    return Effect.gen(function* () {
      const { id } = yield* start;
      assert.deepStrictEqual(yield* lookAt(id, 590 * SECOND), { state: "done", account: ME });
      assert.deepStrictEqual(state.connected, [
        { email: ME, token: TOKENS.accessToken, issued: TOKENS, askedAt: NOW + 590 * SECOND, delegateOf: null },
      ]);
      assert.strictEqual(attempt().expiresAt, NOW + 590 * SECOND + 600 * SECOND);
    }).pipe(Effect.provide(layer));
  });

  it.effect("connects the address that the application named, not that of the consent", () => {
    const { state, layer, start, lookAt } = world({ ...REQUEST, address: "named@postern.test" });
    state.answer = { _tag: "Authorized", tokens: TOKENS };
    return Effect.gen(function* () {
      yield* lookAt((yield* start).id, 5 * SECOND);
      assert.deepStrictEqual((state.connected as ReadonlyArray<any>)[0].email, "named@postern.test");
    }).pipe(Effect.provide(layer));
  });

  it.effect("is denied if the mail server refuses the token", () => {
    const { state, layer, start, lookAt } = world();
    state.answer = { _tag: "Authorized", tokens: TOKENS };
    state.connects = Effect.fail(UNVERIFIED);
    return Effect.gen(function* () {
      const { id } = yield* start;
      assert.strictEqual((yield* Effect.flip(lookAt(id, 5 * SECOND)))._tag, "AccountUnverified");
      assert.deepStrictEqual(yield* lookAt(id, 60 * SECOND), { state: "denied", account: null });
    }).pipe(Effect.provide(layer));
  });

  it.effect("is pending while its account is connected, and is not asked for again, although its time ends", () => {
    const { state, layer, start, lookAt } = world();
    state.answer = { _tag: "Authorized", tokens: TOKENS };
    return Effect.gen(function* () {
      const { id } = yield* start;
      const meanwhile = Effect.provide(lookAt(id, 610 * SECOND), layer);
      state.connects = Effect.gen(function* () {
        assert.deepStrictEqual(yield* Effect.orDie(meanwhile), { state: "pending", account: null });
        return newAccount(ME, NOW);
      });
      assert.deepStrictEqual(yield* lookAt(id, 599 * SECOND), { state: "done", account: ME });
      assert.strictEqual(state.polls, 1);
    }).pipe(Effect.provide(layer));
  });

  it.effect("connects no account once it is told that its time has ended", () => {
    const { state, layer, start, lookAt } = world();
    state.answer = { _tag: "Authorized", tokens: TOKENS };
    return Effect.gen(function* () {
      const { id } = yield* start;
      const EXPIRED = { state: "expired", account: null } as const;
      const expires = Effect.asVoid(Effect.orDie(Effect.provide(lookAt(id, 604 * SECOND), layer)));
      state.whileAsked = expires;
      assert.deepStrictEqual(yield* lookAt(id, 599 * SECOND), EXPIRED);
      const again = yield* start;
      state.whileAsked = Effect.void;
      // The connection takes longer than the authorization waits for it.
      state.connects = Effect.as(
        Effect.orDie(Effect.provide(lookAt(again.id, 800 * SECOND), layer)),
        newAccount(ME, NOW),
      );
      assert.deepStrictEqual(yield* lookAt(again.id, 599 * SECOND), EXPIRED);
      assert.deepStrictEqual(state.connected, []);
    }).pipe(Effect.provide(layer));
  });

  it.effect("expires with its time, to the millisecond, and with the key that asked for it [S11.3-1]", () =>
    Effect.gen(function* () {
      const stateAt = (after: number, expiresAt?: number | null) => {
        const { state, layer, start, lookAt } = world({ ...REQUEST, ...(expiresAt === undefined ? {} : { key: "k" }) });
        if (expiresAt !== undefined && expiresAt !== -1) state.keys.set("k", { expiresAt });
        return Effect.provide(
          Effect.flatMap(start, ({ id }) => Effect.map(lookAt(id, after), (told) => told.state)),
          layer,
        );
      };
      assert.strictEqual(yield* stateAt(600 * SECOND - 1), "pending");
      assert.strictEqual(yield* stateAt(600 * SECOND), "expired");
      assert.strictEqual(yield* stateAt(10 * SECOND, null), "pending");
      assert.strictEqual(yield* stateAt(10 * SECOND, NOW + 10 * SECOND + 1), "pending");
      assert.strictEqual(yield* stateAt(10 * SECOND, NOW + 10 * SECOND), "expired");
      assert.strictEqual(yield* stateAt(10 * SECOND, -1), "expired");
    }),
  );

  it.effect("is shown to keys of the same reach and to the admin key, and to no other [S11.3-18]", () => {
    const { layer, start, lookAt, state } = world();
    return Effect.gen(function* () {
      const { id } = yield* start;
      const tell = (reach: KeyReach | null, of = id) =>
        Effect.match(lookAt(of, 1, reach), { onSuccess: () => "shown", onFailure: ({ _tag }) => _tag });
      assert.strictEqual(yield* tell(["*@postern.test"]), "shown");
      assert.strictEqual(yield* tell(null), "shown");
      assert.strictEqual(yield* tell(["*@other.test"]), "DeviceNotFound");
      yield* Effect.ignore(lookAt(id, 5 * SECOND, ["*@other.test"]));
      assert.strictEqual(state.polls, 0, "a key that may not see it does not ask the provider");
      assert.strictEqual(yield* tell(null, "another"), "DeviceNotFound");
      state.attempts.set("hash of link", {
        _tag: "Link",
        id: "hash of link",
        expiresAt: NOW * 2,
        request: REQUEST,
        redirectUrl: "",
        state: null,
      });
      assert.strictEqual(yield* tell(null, "link"), "DeviceNotFound");
    }).pipe(Effect.provide(layer));
  });
});
