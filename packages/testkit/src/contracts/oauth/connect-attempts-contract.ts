import { assert, layer } from "@effect/vitest";
import { attemptJson, type ConnectAttempt, ConnectAttempts, type Consent } from "@postern/core/oauth";
import { Effect, type Layer, Option, Redacted } from "effect";
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
export const connectAttemptsContract = (name: string, live: Layer.Layer<ConnectAttempts, unknown>) =>
  layer(live)(name, (it) => {
    const textOf = (attempt: Option.Option<ConnectAttempt>) => Option.getOrNull(Option.map(attempt, attemptJson.write));

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
          assert.strictEqual(textOf(yield* attempts.find(attempt.id)), attemptJson.write(attempt));
        }
        assert.isTrue(Option.isNone(yield* attempts.find(random())));
      }),
    );

    it.effect("gives an attempt to one of those who take it at once", () =>
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

    it.effect("changes an attempt, and answers none for one that does not exist", () =>
      Effect.gen(function* () {
        const attempts = yield* ConnectAttempts;
        const attempt = consentOf();
        yield* attempts.insert(attempt);
        const after = { ...attempt, app: "microsoft" };
        assert.deepStrictEqual(yield* attempts.change(attempt.id, () => ["answer", after]), Option.some("answer"));
        assert.strictEqual(textOf(yield* attempts.find(attempt.id)), attemptJson.write(after));
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
