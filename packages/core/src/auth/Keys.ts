import { Clock, Context, Effect, Layer, Redacted } from "effect";
import { Entropy, type StoreUnavailable, Transaction } from "../shared/index.ts";
import { AllApplicationData } from "./AllApplicationData.ts";
import { ApplicationNotFound, KeyNotFound } from "./errors.ts";
import { Fingerprints } from "./ports/Fingerprints.ts";
import { ServiceKeys } from "./ports/ServiceKeys.ts";
import { KEY_ID_BITS, KEY_SECRET_BITS, serviceKeyText } from "./service-key.ts";
import type { ServiceKey } from "./ServiceKey.ts";

/** The properties of a new key. */
export interface KeyRequest extends Omit<ServiceKey, "id" | "application" | "createdAt" | "lastUsedAt"> {
  /** Null: the key's id. */
  readonly application: string | null;
}

/** A new key. Its text is shown once. */
export interface MadeKey {
  readonly key: ServiceKey;
  readonly text: Redacted.Redacted;
}

/** Makes, lists and deletes service keys, for the operator. */
export class Keys extends Context.Service<
  Keys,
  {
    readonly make: (request: KeyRequest) => Effect.Effect<MadeKey, StoreUnavailable>;
    /** All keys, the newest first. */
    readonly list: Effect.Effect<ReadonlyArray<ServiceKey>, StoreUnavailable>;
    /** Deletes a key: when this returns, no process accepts it. */
    readonly remove: (id: string) => Effect.Effect<void, KeyNotFound | StoreUnavailable>;
    /** Deletes the keys of an application and ends what it has. Returns the ids of the keys. */
    readonly removeApplication: (
      application: string,
    ) => Effect.Effect<ReadonlyArray<string>, ApplicationNotFound | StoreUnavailable>;
  }
>()("@postern/core/auth/Keys") {
  static readonly layer = Layer.effect(
    Keys,
    Effect.gen(function* () {
      const keys = yield* ServiceKeys;
      const fingerprints = yield* Fingerprints;
      const entropy = yield* Entropy;
      const transaction = yield* Transaction;
      const all = yield* AllApplicationData;

      const endKey = Effect.fnUntraced(function* (id: string) {
        for (const data of all) if (data.endKey !== undefined) yield* data.endKey(id);
      });

      return Keys.of({
        make: Effect.fn("Keys.make")(function* (request) {
          const id = yield* entropy.id(KEY_ID_BITS);
          const text = serviceKeyText(id, yield* entropy.id(KEY_SECRET_BITS));
          const createdAt = yield* Clock.currentTimeMillis;
          const application = request.application ?? id;
          const key: ServiceKey = { ...request, id, application, createdAt, lastUsedAt: null };
          yield* keys.insert(key, fingerprints.ofToken(text));
          return { key, text: Redacted.make(text) };
        }),
        list: keys.list,
        remove: Effect.fn("Keys.remove")(function* (id) {
          if (!(yield* keys.remove(id))) return yield* new KeyNotFound();
          yield* endKey(id);
        }, transaction.run),
        removeApplication: Effect.fn("Keys.removeApplication")(function* (application) {
          const ids = yield* keys.removeApplication(application);
          yield* Effect.forEach(ids, endKey, { discard: true });
          let had = ids.length > 0;
          for (const { endApplication } of all) {
            if (endApplication !== undefined && (yield* endApplication(application))) had = true;
          }
          if (!had) return yield* new ApplicationNotFound();
          return ids;
        }, transaction.run),
      });
    }),
  );
}
