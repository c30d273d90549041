import { assert, layer } from "@effect/vitest";
import { CredentialVault } from "@postern/core/auth";
import { OAuthApps } from "@postern/core/oauth";
import { StoreUnavailable } from "@postern/core/shared";
import { AccountWatches } from "@postern/core/watch";
import { Endpoints, initialSecrets, newEndpoint, ownedBy } from "@postern/core/webhooks";
import { freshAccount, passwordOf } from "@postern/testkit";
import { Clock, Effect, type Layer, Option, Redacted, Schema } from "effect";
import {
  Database,
  missingKeys,
  processesWithout,
  RecordCipher,
  type Rewrapper,
  rewrapSecrets,
  serviceSecret,
} from "../src/index.ts";

class Unreadable extends Schema.TaggedError<Unreadable>()("Unreadable", {}) {}

/** A rotation in which each value begins with the name of its key; values marked broken cannot be opened. */
const rewrapper = (kid: string): Rewrapper => ({
  activeKid: kid,
  kidOf: (sealed) => Effect.succeed(/^(\w+)!/.exec(sealed)?.[1] ?? "old"),
  rewrap: (sealed) =>
    sealed.startsWith("broken")
      ? Effect.fail(new Unreadable())
      : Effect.succeed(`${kid}!${sealed.replace(/^\w+!/, "")}`),
});

const silent = () => Effect.void;

const ENDPOINT = { url: "https://example.com/hook", events: ["email.sent"] } as const;

/** Secrets of the service, and rotation of all secrets to another key, on either database. */
export const serviceSecretsSuite = (
  name: string,
  live: () => Layer.Layer<Database | CredentialVault | Endpoints | OAuthApps | AccountWatches | RecordCipher, unknown>,
) => {
  layer(live())(`secrets of the service on ${name}`, (it) => {
    it.effect("are created by the first of several callers and stored sealed", () =>
      Effect.gen(function* () {
        const made = yield* Effect.forEach(
          [1, 2, 3, 4],
          (byte) => serviceSecret("shared", new Uint8Array(32).fill(byte)),
          { concurrency: "unbounded" },
        );
        for (const secret of made) assert.deepStrictEqual(secret, made[0]);
        const { query } = yield* Database;
        const row = yield* query((db) => db.selectFrom("service_secret").selectAll().executeTakeFirstOrThrow());
        assert.notInclude(row.sealed, Buffer.from(made[0]!).toString("base64url").slice(0, 20));
        assert.notDeepEqual(yield* serviceSecret("other", new Uint8Array(32).fill(9)), made[0]);
      }),
    );
  });

  layer(live())(`moving secrets to another key on ${name}`, (it) => {
    const SECRETS = 450;
    const sealedValues = Effect.flatMap(Database, ({ query }) =>
      query((db) => db.selectFrom("credential").select("sealed").execute()),
    );

    it.effect("moves all values, in one run or in two", () =>
      Effect.gen(function* () {
        const vault = yield* CredentialVault;
        for (let n = 0; n < SECRETS; n++) {
          yield* vault.keep(yield* freshAccount, {
            _tag: "Password",
            username: "me",
            password: Redacted.make("secret"),
          });
        }
        yield* serviceSecret("one", new Uint8Array(32));
        yield* (yield* Endpoints).insert(
          newEndpoint("whe_1", ownedBy(yield* freshAccount), ENDPOINT, 0),
          initialSecrets(Redacted.make("whsec_secret")),
        );
        const batches: Array<number> = [];
        const endedEarly = rewrapSecrets(rewrapper("k2"), (_, seen) => {
          batches.push(seen);
          return seen > 200 ? Effect.die("power cut") : Effect.void;
        });
        yield* Effect.exit(endedEarly);
        assert.deepStrictEqual(batches, [200, 400]);
        assert.deepStrictEqual(yield* rewrapSecrets(rewrapper("k2"), silent), [
          { table: "credential", moved: 50, unreadable: 0, untouched: 400 },
          { table: "service_secret", moved: 1, unreadable: 0, untouched: 0 },
          { table: "endpoint_secret", moved: 1, unreadable: 0, untouched: 0 },
          { table: "oauth_app", moved: 0, unreadable: 0, untouched: 0 },
          { table: "connect_attempt", moved: 0, unreadable: 0, untouched: 0 },
        ]);
        assert.isTrue((yield* sealedValues).every(({ sealed }) => sealed.startsWith("k2!")));
      }),
    );

    it.effect("skips values that cannot be opened, and counts them", () =>
      Effect.gen(function* () {
        const { query } = yield* Database;
        const account = yield* freshAccount;
        yield* (yield* CredentialVault).keep(account, {
          _tag: "Password",
          username: "me",
          password: Redacted.make("secret"),
        });
        yield* query((db) =>
          db.updateTable("credential").set({ sealed: "broken" }).where("account", "=", account).execute(),
        );
        const [credentials] = yield* rewrapSecrets(rewrapper("k3"), silent);
        assert.deepStrictEqual(credentials, { table: "credential", moved: SECRETS, unreadable: 1, untouched: 0 });
        assert.isTrue((yield* sealedValues).some(({ sealed }) => sealed === "broken"));
      }),
    );

    it.effect("does not overwrite a value replaced during the rotation", () =>
      Effect.gen(function* () {
        const vault = yield* CredentialVault;
        const { query } = yield* Database;
        const account = yield* freshAccount;
        yield* vault.keep(account, { _tag: "Password", username: "me", password: Redacted.make("old") });
        const running = rewrapper("k4");
        const meanwhile = Effect.orDie(
          vault.keep(account, { _tag: "Password", username: "me", password: Redacted.make("new") }),
        );
        yield* rewrapSecrets(
          {
            ...running,
            rewrap: (sealed, place) =>
              place.account === account
                ? Effect.andThen(Effect.asVoid(meanwhile), running.rewrap(sealed, place))
                : running.rewrap(sealed, place),
          },
          silent,
        );
        const row = yield* query((db) =>
          db.selectFrom("credential").select("sealed").where("account", "=", account).executeTakeFirstOrThrow(),
        );
        assert.isFalse(row.sealed.startsWith("k4!"));
        assert.strictEqual(passwordOf(yield* vault.reveal(account)), "new");
      }),
    );
  });

  layer(live())(`a key that this process lacks on ${name}`, (it) => {
    const app = (id: string, sealed: string) =>
      Effect.flatMap(Database, ({ query }) =>
        query((db) => db.insertInto("oauth_app").values({ id, sealed }).execute()),
      );

    it.effect("is named in the error, and its rows are not reported as absent [S3.7-9]", () =>
      Effect.gen(function* () {
        const apps = yield* OAuthApps;
        yield* serviceSecret("own", new Uint8Array(32));
        assert.deepStrictEqual(yield* missingKeys, []);
        yield* app("altered", "altered");
        assert.deepStrictEqual(yield* apps.find("altered"), Option.none());
        for (const [id, sealed] of [
          ["one", "k2!x"],
          ["other", "k2!y"],
          ["third", "k1!z"],
        ] as const) {
          yield* app(id, sealed);
          const refusal = yield* Effect.flip(apps.find(id));
          assert.isTrue(refusal instanceof StoreUnavailable && refusal.isSealed === true);
        }
        assert.isTrue((yield* Effect.flip(apps.list)).isSealed);
        assert.deepStrictEqual(yield* missingKeys, ["k1", "k2"]);
      }),
    );

    it.effect("is reported for running processes if several use the database [S3.7-10]", () =>
      Effect.gen(function* () {
        const watches = yield* AccountWatches;
        const now = yield* Clock.currentTimeMillis;
        yield* watches.beat(now, { token: "alive", until: now + 1 });
        yield* watches.beat(now, { token: "ended", until: now });
        assert.strictEqual(yield* processesWithout("only"), 0);
        assert.strictEqual(yield* processesWithout("on"), watches.isOursAlone ? 0 : 1);
      }),
    );
  });
};
