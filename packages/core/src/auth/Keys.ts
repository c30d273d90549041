import { Clock, Context, Effect, Layer, Option, Redacted } from "effect";
import { type CreationKey, Creations } from "../creations/index.ts";
import { type KeyClaim, type RepeatError } from "../creations/neighbours.ts";
import {
  AllAccountData,
  Entropy,
  type InputInvalid,
  type Precondition,
  type StoreUnavailable,
  Transaction,
} from "../shared/index.ts";
import { checkerOf, checkId, type EndedData, failOn } from "../shared/neighbours.ts";
import { ApplicationNotFound, KeyChanged, KeyNotFound } from "./errors.ts";
import { keyFaults } from "./key-faults.ts";
import type { KeyRequest } from "./KeyRequest.ts";
import { Fingerprints } from "./ports/Fingerprints.ts";
import { ServiceKeys } from "./ports/ServiceKeys.ts";
import { keyFields } from "./rules.ts";
import { KEY_ID_BITS, KEY_SECRET_BITS, serviceKeyText } from "./service-key.ts";
import type { ServiceKey } from "./ServiceKey.ts";

const checkApplication = checkerOf({ name: keyFields.application });

/** A new key. */
export interface MadeKey {
  readonly key: ServiceKey;
  /** The key itself, which is shown once: null in the answer to a repeated request. */
  readonly text: Redacted.Redacted | null;
}

/** The ids of the deleted keys of an application, and what else it had. */
export interface RemovedApplication {
  readonly keys: ReadonlyArray<string>;
  readonly ended: EndedData;
}

/** Makes, lists and deletes service keys, for the operator. */
export class Keys extends Context.Service<
  Keys,
  {
    /** Makes a key; once for each idempotency key. */
    readonly make: (
      request: KeyRequest,
      repeated?: CreationKey,
    ) => Effect.Effect<MadeKey, InputInvalid | RepeatError | StoreUnavailable>;
    /** All keys, the newest first. */
    readonly list: Effect.Effect<ReadonlyArray<ServiceKey>, StoreUnavailable>;
    /** Deletes a key: when this returns, no process accepts it. What it scheduled is held. */
    readonly remove: (
      id: string,
      isWanted?: Precondition<ServiceKey>,
    ) => Effect.Effect<EndedData, InputInvalid | KeyNotFound | KeyChanged | StoreUnavailable>;
    /** Deletes the keys of an application and ends what it has. */
    readonly removeApplication: (
      application: string,
    ) => Effect.Effect<RemovedApplication, InputInvalid | ApplicationNotFound | StoreUnavailable>;
  }
>()("@postern/core/auth/Keys") {
  static readonly layer = Layer.effect(
    Keys,
    Effect.gen(function* () {
      const keys = yield* ServiceKeys;
      const creations = yield* Creations;
      const fingerprints = yield* Fingerprints;
      const entropy = yield* Entropy;
      const transaction = yield* Transaction;
      const all = yield* AllAccountData;

      const endKey = Effect.fnUntraced(function* (id: string) {
        return total(yield* Effect.forEach(all, (data) => data.endKey?.(id) ?? Effect.succeed({})));
      });

      const makeOne = Effect.fnUntraced(function* (request: KeyRequest, claim: KeyClaim) {
        yield* failOn(keyFaults(request, yield* Clock.currentTimeMillis));
        const id = yield* entropy.id(KEY_ID_BITS);
        const text = serviceKeyText(id, yield* entropy.id(KEY_SECRET_BITS));
        const createdAt = yield* Clock.currentTimeMillis;
        const { name, scopes, accounts, networks, expiresAt, sendPerDay, notify } = request;
        const key: ServiceKey = {
          id,
          name,
          application: request.application ?? id,
          scopes,
          accounts,
          networks,
          createdAt,
          expiresAt,
          lastUsedAt: null,
          sendPerDay,
          notify,
        };
        yield* transaction.run(Effect.andThen(claim.complete(id), keys.insert(key, fingerprints.ofToken(text))));
        return { key, text: Redacted.make(text) };
      });

      return Keys.of({
        make: Effect.fn("Keys.make")((request, repeated) =>
          creations.once<MadeKey, InputInvalid | RepeatError, StoreUnavailable>(
            repeated,
            { operation: "keys.make", request },
            (claim) => makeOne(request, claim),
            (id) =>
              Effect.map(
                keys.find(id),
                Option.map((key) => ({ key, text: null })),
              ),
          ),
        ),
        list: keys.list,
        remove: Effect.fn("Keys.remove")(function* (id, isWanted = () => true) {
          yield* checkId({ id });
          const key = yield* keys.find(id);
          if (Option.isSome(key) && !isWanted(key.value)) return yield* new KeyChanged();
          if (!(yield* keys.remove(id))) return yield* new KeyNotFound();
          return yield* endKey(id);
        }, transaction.run),
        removeApplication: Effect.fn("Keys.removeApplication")(function* (application) {
          yield* checkApplication({ name: application });
          const ids = yield* keys.removeApplication(application);
          const ends = yield* Effect.forEach(all, (data) => data.endApplication?.(application) ?? Effect.succeed({}));
          const ended = total([...ends, ...(yield* Effect.forEach(ids, endKey))]);
          if (ids.length + ended.endpoints + ended.messages === 0) return yield* new ApplicationNotFound();
          return { keys: ids, ended };
        }, transaction.run),
      });
    }),
  );
}

const total = (ends: ReadonlyArray<Partial<EndedData>>): EndedData =>
  ends.reduce<EndedData>(
    (sum, { messages = 0, endpoints = 0 }) => ({
      messages: sum.messages + messages,
      endpoints: sum.endpoints + endpoints,
    }),
    { messages: 0, endpoints: 0 },
  );
