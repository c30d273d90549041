import { assert, layer } from "@effect/vitest";
import { type ConnectAttempt, oauthJson, ConnectAttempts, type Consent } from "@postern/core/oauth";
import type { Transaction } from "@postern/core/shared";
import { Effect, type Layer, Option, Redacted } from "effect";
import { assertChangesWait } from "../assert-changes-wait.ts";
import { freshAccount } from "../../fixtures/fresh-account.ts";

const NOW = 1_900_000_000_000;

const random = () => globalThis.crypto.randomUUID();

const REQUEST = { address: "Me@example.org", tags: ["crm"], reach: ["*@example.org"], app: "google" };

const consentOf = (over: Partial<Consent> = {}): Consent => ({
  _tag: "Consent",
  id: random(),
  expiresAt: NOW + 600_000,
  browser: random(),
  app: "google",
  nonce: random(),
  verifier: Redacted.make("verifier"),
  address: "Me@example.org",
  link: Redacted.make("link"),
  network: random(),
  ...over,
});

/** The contract of `ConnectAttempts`. */
export const connectAttemptsContract = (name: string, live: Layer.Layer<ConnectAttempts | Transaction, unknown>) =>
  layer(live)(name, (it) => {
    const textOf = (attempt: Option.Option<ConnectAttempt>) =>
      Option.getOrNull(Option.map(attempt, oauthJson.attempt.write));

    it.effect("finds each kind of attempt as it was inserted", () =>
      Effect.gen(function* () {
        const attempts = yield* ConnectAttempts;
        const link = { _tag: "Link", expiresAt: NOW, redirectUrl: "https://app.example", state: "s" } as const;
        const device = { _tag: "Device", expiresAt: NOW, intervalMillis: 5_000, nextPollAt: NOW } as const;
        const kinds: ReadonlyArray<ConnectAttempt> = [
          consentOf(),
          consentOf({ address: null, link: null }),
          { ...link, id: random(), request: REQUEST },
          { ...link, id: random(), state: null, request: { address: null, tags: null, reach: null, app: null } },
          {
            ...device,
            id: random(),
            request: REQUEST,
            deviceCode: Redacted.make("device"),
            state: "done",
            account: yield* freshAccount,
          },
        ];
        for (const attempt of kinds) {
          yield* attempts.insert(attempt);
          assert.strictEqual(textOf(yield* attempts.find(attempt.id)), oauthJson.attempt.write(attempt));
        }
        assert.isTrue(Option.isNone(yield* attempts.find(random())));
      }),
    );

    it.effect("lets a change that changes nothing wait for another transaction, and the other for it", () =>
      Effect.gen(function* () {
        const attempts = yield* ConnectAttempts;
        const { id } = yield* Effect.tap(Effect.succeed(consentOf()), attempts.insert);
        yield* assertChangesWait(
          attempts.change(id, (attempt) => [attempt.expiresAt, attempt]),
          attempts.change(id, (attempt) => [attempt.expiresAt, { ...attempt, expiresAt: attempt.expiresAt + 1 }]),
        );
      }),
    );

    it.effect("gives an attempt to one of several concurrent callers", () =>
      Effect.gen(function* () {
        const attempts = yield* ConnectAttempts;
        const attempt = consentOf();
        yield* attempts.insert(attempt);
        const taken = yield* Effect.all(
          Array.from({ length: 10 }, () => attempts.take(attempt.id)),
          { concurrency: "unbounded" },
        );
        assert.lengthOf(taken.filter(Option.isSome), 1);
        assert.isTrue(Option.isNone(yield* attempts.find(attempt.id)));
      }),
    );

    it.effect("removes the links of a key and nothing else, and counts the links that were still valid", () =>
      Effect.gen(function* () {
        const attempts = yield* ConnectAttempts;
        const [key, other] = [random(), random()];
        const link = { _tag: "Link", redirectUrl: "https://app.example", state: null } as const;
        const asked = (by: string, expiresAt: number) =>
          ({ ...link, id: random(), expiresAt, request: { ...REQUEST, key: by } }) satisfies ConnectAttempt;
        const [live, expired, others] = [asked(key, NOW + 1), asked(key, NOW), asked(other, NOW + 1)];
        const device: ConnectAttempt = {
          _tag: "Device",
          id: random(),
          expiresAt: NOW + 1,
          intervalMillis: 5_000,
          nextPollAt: NOW,
          request: { ...REQUEST, key },
          deviceCode: Redacted.make("device"),
          state: "pending",
          account: null,
        };
        const all = [live, expired, others, consentOf(), device];
        yield* Effect.forEach(all, attempts.insert);
        assert.strictEqual(yield* attempts.removeOf(key, NOW), 1);
        const left = yield* Effect.filter(all, ({ id }) => Effect.map(attempts.find(id), Option.isSome));
        assert.deepStrictEqual(left, all.slice(2));
        assert.strictEqual(yield* attempts.removeOf(key, NOW), 0);
      }),
    );

    it.effect("changes an attempt, and returns none if it does not exist", () =>
      Effect.gen(function* () {
        const attempts = yield* ConnectAttempts;
        const attempt = consentOf();
        yield* attempts.insert(attempt);
        const after = { ...attempt, app: "microsoft" };
        assert.deepStrictEqual(yield* attempts.change(attempt.id, () => ["answer", after]), Option.some("answer"));
        assert.strictEqual(textOf(yield* attempts.find(attempt.id)), oauthJson.attempt.write(after));
        assert.isTrue(Option.isNone(yield* attempts.change(random(), (some) => [1, some])));
      }),
    );

    it.effect("counts the consents of a network that have not expired, and removes expired attempts", () =>
      Effect.gen(function* () {
        const attempts = yield* ConnectAttempts;
        const network = random();
        const old = consentOf({ network, expiresAt: NOW - 1 });
        const fresh = consentOf({ network, expiresAt: NOW + 1 });
        for (const attempt of [old, fresh, consentOf({ expiresAt: NOW + 1 })]) yield* attempts.insert(attempt);
        assert.strictEqual(yield* attempts.countFrom(network, NOW), 1);
        yield* attempts.removeExpired(NOW);
        assert.isTrue(Option.isNone(yield* attempts.find(old.id)));
        assert.isTrue(Option.isSome(yield* attempts.find(fresh.id)));
      }),
    );
  });
