import { assert, layer } from "@effect/vitest";
import { StoreUnavailable } from "@postern/core/shared";
import { CredentialVault } from "@postern/core/auth";
import { Endpoints, initialSecrets, newEndpoint, ownedBy } from "@postern/core/webhooks";
import { freshAccount, passwordOf } from "@postern/testkit";
import { Effect, type Layer, Logger, Option, Redacted } from "effect";
import { Database } from "../src/index.ts";

export const CANARY = "canary-4c1f-pässwörd";

/** Tests of what a copy of the database reveals (spec 3). `stolen` contains all its bytes. */
export const secrecySuite = <R>(
  name: string,
  live: Layer.Layer<Database | CredentialVault | Endpoints | R, unknown>,
  stolen: Effect.Effect<Buffer, unknown, Database | R>,
) =>
  layer(live)(name, (it) => {
    const keepOne = Effect.gen(function* () {
      const account = yield* freshAccount;
      const credential = { _tag: "Password" as const, username: `user-of-${account}`, password: Redacted.make(CANARY) };
      yield* (yield* CredentialVault).keep(account, credential);
      return account;
    });

    it.effect("does not contain a password or its user name in plain text or base64 [S3.2-5]", () =>
      Effect.gen(function* () {
        const account = yield* keepOne;
        const bytes = yield* stolen;
        assert.isTrue(bytes.includes(account), "the bytes are those of the database");
        assert.isFalse(bytes.includes("user-of-"));
        for (const secret of [CANARY, "canary-4c1f", Buffer.from(CANARY).toString("base64").slice(0, 20)]) {
          assert.isFalse(bytes.includes(secret), secret);
        }
      }),
    );

    it.effect("opens neither of two exchanged sealed credentials", () =>
      Effect.gen(function* () {
        const { query } = yield* Database;
        const vault = yield* CredentialVault;
        const [one, other] = [yield* keepOne, yield* keepOne];
        const sealedOf = (account: string) =>
          query((db) =>
            db.selectFrom("credential").select("sealed").where("account", "=", account).executeTakeFirstOrThrow(),
          );
        const [first, second] = [yield* sealedOf(one), yield* sealedOf(other)];
        yield* query((db) => db.updateTable("credential").set(second).where("account", "=", one).execute());
        yield* query((db) => db.updateTable("credential").set(first).where("account", "=", other).execute());
        for (const account of [one, other]) {
          assert.instanceOf(yield* Effect.flip(vault.reveal(account)), StoreUnavailable);
        }
        yield* vault.keep(one, { _tag: "Password", username: "me", password: Redacted.make("new") });
        assert.strictEqual(passwordOf(yield* vault.reveal(one)), "new");
      }),
    );

    it.effect("does not accept text that was never sealed as a credential", () =>
      Effect.gen(function* () {
        const { query } = yield* Database;
        const account = yield* keepOne;
        const sealed = JSON.stringify({ username: "me", password: "in clear" });
        yield* query((db) => db.updateTable("credential").set({ sealed }).where("account", "=", account).execute());
        const logged: Array<string> = [];
        const log = Logger.layer([Logger.make(({ message }) => void logged.push(JSON.stringify(message)))]);
        const refused = Effect.flip((yield* CredentialVault).reveal(account));
        assert.instanceOf(yield* Effect.provide(refused, log), StoreUnavailable);
        assert.lengthOf(logged, 1);
        assert.include(logged[0], "a credential cannot be decrypted");
        assert.notInclude(logged[0], account, "the log contains no address");
      }),
    );

    it.effect("opens the secrets of other endpoints while those of one cannot be opened", () =>
      Effect.gen(function* () {
        const { query } = yield* Database;
        const endpoints = yield* Endpoints;
        const account = yield* freshAccount;
        const settings = { url: "https://h.test/", events: ["email.sent"] as const };
        const ids = ["altered", "good"].map((kind) => `we_${kind}_${account}`);
        const secrets = initialSecrets(Redacted.make("whsec_AAAA"));
        for (const id of ids) yield* endpoints.insert(newEndpoint(id, ownedBy(account), settings, 1), secrets);
        const [altered, good] = ids as [string, string];
        yield* query((db) =>
          db.updateTable("endpoint_secret").set({ sealed: "altered" }).where("endpoint_id", "=", altered).execute(),
        );
        const found = yield* endpoints.secrets([altered, good, "we_none"]);
        assert.deepStrictEqual([...found.keys()].toSorted(), [altered, good]);
        assert.deepStrictEqual(found.get(altered), Option.none());
        assert.strictEqual(Redacted.value(Option.getOrThrow(found.get(good)!).current), "whsec_AAAA");
        yield* endpoints.replaceSecrets(altered, secrets);
        assert.isTrue(
          Option.isSome((yield* endpoints.secrets([altered])).get(altered)!),
          "a rotation makes them readable",
        );
      }),
    );
  });
