import { assert, layer } from "@effect/vitest";
import { StoreUnavailable } from "@postern/core/shared";
import { CredentialVault } from "@postern/core/auth";
import { freshAccount } from "@postern/testkit";
import { Effect, type Layer, Redacted } from "effect";
import { Database } from "../src/index.ts";

export const CANARY = "canary-4c1f-pässwörd";

/** What a thief of the database gets (spec 3). `stolen` is all of it as bytes. */
export const secrecySuite = <R>(
  name: string,
  live: Layer.Layer<Database | CredentialVault | R, unknown>,
  stolen: Effect.Effect<Buffer, unknown, Database | R>,
) =>
  layer(live)(name, (it) => {
    const keepOne = Effect.gen(function* () {
      const account = yield* freshAccount;
      const credential = { username: `user-of-${account}`, password: Redacted.make(CANARY) };
      yield* (yield* CredentialVault).keep(account, credential);
      return account;
    });

    it.effect("does not hold a password or its user name in clear, nor in base64", () =>
      Effect.gen(function* () {
        const account = yield* keepOne;
        const bytes = yield* stolen;
        assert.isTrue(bytes.includes(account), "it looked at the right bytes");
        assert.isFalse(bytes.includes("user-of-"));
        for (const secret of [CANARY, "canary-4c1f", Buffer.from(CANARY).toString("base64").slice(0, 20)]) {
          assert.isFalse(bytes.includes(secret), secret);
        }
      }),
    );

    it.effect("opens neither of two sealed credentials that were exchanged", () =>
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
        yield* vault.keep(one, { username: "me", password: Redacted.make("new") });
        assert.strictEqual(Redacted.value((yield* vault.reveal(one)).password), "new");
      }),
    );

    it.effect("takes what was never sealed for no credential", () =>
      Effect.gen(function* () {
        const { query } = yield* Database;
        const account = yield* keepOne;
        const sealed = JSON.stringify({ username: "me", password: "in clear" });
        yield* query((db) => db.updateTable("credential").set({ sealed }).where("account", "=", account).execute());
        assert.instanceOf(yield* Effect.flip((yield* CredentialVault).reveal(account)), StoreUnavailable);
      }),
    );
  });
