import { Clock, Context, Duration, Effect, Layer, Option, Stream } from "effect";
import {
  type AccountId,
  canonicalText,
  Digest,
  Entropy,
  type InputInvalid,
  type Lease,
  type StoreUnavailable,
} from "../shared/index.ts";
import { checkerOf } from "../shared/neighbours.ts";
import type { CreationRecord } from "./CreationRecord.ts";
import { CreatedThenDeleted, CreationInProgress, IdempotencyKeyReused } from "./errors.ts";
import { keyState } from "./key-state.ts";
import { CREATION_LEASE, KEY_LIFETIME, RENEW_EVERY } from "./limits.ts";
import { IdempotencyKey } from "./rules.ts";
import { CreationRecords } from "./ports/CreationRecords.ts";

/** The `Idempotency-Key` of a request that creates a resource. */
export interface CreationKey {
  /** The sender of the request, and the account that the request concerns. */
  readonly caller: string;
  readonly key: string;
  /** The account whose erasure erases the key; null if the key belongs to no account. */
  readonly account: AccountId | null;
}

/** A request to create a resource. */
export interface CreationRequest {
  /** The id of the operation. A key is valid for one operation only. */
  readonly operation: string;
  /** The contents of the request. */
  readonly request: unknown;
}

type ClaimError = CreationInProgress | StoreUnavailable;

/** Records the resource that is created under a key. Without a key it does nothing. */
export interface KeyClaim {
  /** Records the value by which a repeated request recognises the message or folder that this request will store on a mail server. */
  readonly begin: (resource: string) => Effect.Effect<void, ClaimError>;
  /** Records the id of the created resource. If the resource is stored in the database, call it in the same transaction. */
  readonly complete: (id: string) => Effect.Effect<void, ClaimError>;
}

const endOfLease = Effect.map(Clock.currentTimeMillis, (now) => now + Duration.toMillis(CREATION_LEASE));

const checkKey = checkerOf({ "idempotency-key": IdempotencyKey });

const UNCLAIMED: KeyClaim = { begin: () => Effect.void, complete: () => Effect.void };

export type RepeatError =
  | InputInvalid
  | IdempotencyKeyReused
  | CreatedThenDeleted
  | CreationInProgress
  | StoreUnavailable;

/** Creates a resource once for each `Idempotency-Key` of a caller (spec 2.6). */
export class Creations extends Context.Service<
  Creations,
  {
    /**
     * Runs `create`; for a repeated request, runs `find` with the record of the first request. If a creation on a mail
     * server failed, or its process ended, the next repeated request completes it with `find` or creates the resource
     * again.
     */
    readonly once: <A, E, E2>(
      key: CreationKey | undefined,
      request: CreationRequest,
      create: (claim: KeyClaim) => Effect.Effect<A, E>,
      find: (resource: string, claim: KeyClaim) => Effect.Effect<Option.Option<A>, E2>,
    ) => Effect.Effect<A, E | E2 | RepeatError>;
    /** Deletes keys after 24 hours. */
    readonly forgetOld: (now: number, limit: number) => Effect.Effect<number, StoreUnavailable>;
  }
>()("@postern/core/creations/Creations") {
  static readonly layer = Layer.effect(
    Creations,
    Effect.gen(function* () {
      const records = yield* CreationRecords;
      const digest = yield* Digest;
      const entropy = yield* Entropy;

      /**
       * Returns the claim of a request to a free key, and the effects that renew and release the claim. `seen` is the
       * lease of the unfinished creation that this request repeats. If it has been replaced, another request may have stored a
       * resource that this request did not look for.
       */
      const claimOf = Effect.fnUntraced(function* (
        key: CreationKey,
        requestHash: string,
        createdAt: number,
        seen: Lease | null,
      ) {
        const token = yield* entropy.id(128);
        const take = (record: CreationRecord) =>
          seen === null
            ? records.take(record, createdAt - Duration.toMillis(KEY_LIFETIME))
            : records.replace(record, seen.token);
        let begun: string | undefined;
        const recordOf = (resource: string, until: number | null) => ({
          ...key,
          requestHash,
          resource,
          createdAt,
          lease: until === null ? null : { token, until },
        });
        const begin = Effect.fnUntraced(function* (resource: string) {
          if (!(yield* take(recordOf(resource, yield* endOfLease)))) return yield* new CreationInProgress();
          begun = resource;
          // An interruption in between would leave the key leased.
        }, Effect.uninterruptible);
        const complete = Effect.fnUntraced(function* (id: string) {
          const done = recordOf(id, null);
          const isOurs = yield* begun === undefined ? take(done) : records.replace(done, token);
          if (!isOurs) return yield* new CreationInProgress();
        });
        const giveUp = Effect.suspend(() =>
          begun === undefined ? Effect.void : Effect.ignore(records.replace(recordOf(begun, createdAt), token)),
        );
        const renew = Effect.gen(function* () {
          if (begun !== undefined) yield* records.replace(recordOf(begun, yield* endOfLease), token);
        }).pipe(Effect.ignore, Effect.delay(RENEW_EVERY), Effect.forever);
        return { claim: { begin, complete }, renew, giveUp };
      });

      const once = Effect.fn("Creations.once")(function* <A, E, E2>(
        key: CreationKey | undefined,
        request: CreationRequest,
        create: (claim: KeyClaim) => Effect.Effect<A, E>,
        find: (resource: string, claim: KeyClaim) => Effect.Effect<Option.Option<A>, E2>,
      ): Effect.fn.Return<A, E | E2 | RepeatError> {
        if (key === undefined) return yield* create(UNCLAIMED);
        yield* checkKey({ "idempotency-key": key.key });
        const requestHash = yield* digest.sha256(Stream.encodeText(Stream.make(canonicalText(request))));
        const now = yield* Clock.currentTimeMillis;
        const record = Option.getOrUndefined(yield* records.find(key.caller, key.key));
        const state = keyState(record, requestHash, now);
        if (state === "reused") return yield* new IdempotencyKeyReused();
        if (state === "in_progress") return yield* new CreationInProgress();
        const { claim, renew, giveUp } = yield* claimOf(
          key,
          requestHash,
          now,
          state === "unfinished" ? record!.lease : null,
        );
        if (state !== "unused") {
          const found = yield* find(record!.resource, state === "created" ? UNCLAIMED : claim);
          if (Option.isSome(found)) return found.value;
          if (state === "created") return yield* new CreatedThenDeleted();
        }
        // The request that now holds the key may have caused this failure: both requests use the same name, and the
        // other request has taken the name.
        return yield* Effect.catch(
          Effect.onError(Effect.scoped(Effect.andThen(Effect.forkScoped(renew), create(claim))), () => giveUp),
          (error) =>
            Effect.flatMap(records.find(key.caller, key.key), (taken) => {
              const after = keyState(Option.getOrUndefined(taken), requestHash, now);
              return Effect.fail(after === "created" || after === "in_progress" ? new CreationInProgress() : error);
            }),
        );
      });

      const forgetOld = (now: number, limit: number) => records.forget(now - Duration.toMillis(KEY_LIFETIME), limit);

      return Creations.of({ once, forgetOld });
    }),
  );
}
