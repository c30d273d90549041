import { Clock, Context, Duration, Effect, Layer, Option, Stream } from "effect";
import { type CreationKey, Creations } from "../../creations/index.ts";
import type { RepeatError } from "../../creations/neighbours.ts";
import {
  type AccountId,
  Digest,
  Entropy,
  type InputInvalid,
  StoreUnavailable,
  Transaction,
} from "../../shared/index.ts";
import { checkId } from "../../shared/neighbours.ts";
import { UploadNotFound, UploadTooLarge } from "../errors.ts";
import { fileName } from "./file-name.ts";
import { MAX_ATTACHMENT_BYTES, UPLOAD_LIFETIME, UPLOAD_PATIENCE } from "../limits.ts";
import { UploadContents } from "../ports/UploadContents.ts";
import { UploadRecords } from "../ports/UploadRecords.ts";
import { isKept } from "./is-kept.ts";
import { CARRIED_PREFIX, type IncomingFile, type Upload } from "./Upload.ts";

/** The number of files removed per transaction. */
const BATCH = 100;

/** Receives files for sending, and removes them after 24 hours unless a message pins them (spec 6). */
export class Uploads extends Context.Service<
  Uploads,
  {
    /** Receives a file as a stream; keeps nothing unless the file is complete. */
    readonly receive: <E, R>(
      account: AccountId,
      file: IncomingFile<E, R>,
    ) => Effect.Effect<Upload, E | UploadTooLarge | StoreUnavailable, R>;
    /** Receives a file once for each key. A repeated request with the same name, type and contents returns the first upload. */
    readonly receiveOnce: <E, R>(
      account: AccountId,
      file: IncomingFile<E, R>,
      key: CreationKey | undefined,
    ) => Effect.Effect<Upload, E | UploadTooLarge | RepeatError, R>;
    /** Reads a stored file of the account. */
    readonly open: (
      account: AccountId,
      id: string,
    ) => Effect.Effect<
      { readonly upload: Upload; readonly bytes: Stream.Stream<Uint8Array, StoreUnavailable> },
      InputInvalid | UploadNotFound | StoreUnavailable
    >;
    /** Removes uploads that expired, were never completed, or belong to a removed account. */
    readonly sweep: Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/send/uploads/Uploads") {
  static readonly layer = Layer.effect(
    Uploads,
    Effect.gen(function* () {
      const records = yield* UploadRecords;
      const contents = yield* UploadContents;
      const entropy = yield* Entropy;
      const digest = yield* Digest;
      const creations = yield* Creations;
      const transaction = yield* Transaction;

      /** Removes an upload; if that fails, the sweep removes it later. */
      const discard = (id: string) =>
        Effect.andThen(contents.remove(id), records.remove([id])).pipe(
          Effect.catchCause((cause) => Effect.logWarning("removing an upload failed, the sweep retries", cause)),
        );

      /** Removes the upload of a failed request, unless the upload is complete: then a repeated request may return it. */
      const discardIncomplete = Effect.fnUntraced(function* (account: AccountId, id: string) {
        const found = yield* Effect.option(records.find(account, id));
        if (Option.exists(found, Option.isNone)) yield* discard(id);
      });

      /** Receives a file; `settle` completes the upload, or returns the earlier upload of a repeated request. */
      const receiveWith = Effect.fn("Uploads.receive")(function* <E, E2, R>(
        account: AccountId,
        { name, type, bytes, isCarried = false }: IncomingFile<E, R>,
        settle: (id: string, complete: Effect.Effect<Upload, StoreUnavailable>) => Effect.Effect<Upload, E2>,
      ) {
        const id = `${isCarried ? CARRIED_PREFIX : "up_"}${yield* entropy.id(128)}`;
        const upload = { id, account, name: fileName(name), type, createdAt: yield* Clock.currentTimeMillis };
        const kept = Effect.gen(function* () {
          yield* records.begin(upload);
          const size = yield* contents.write(id, limitBytes(MAX_ATTACHMENT_BYTES, bytes));
          const complete = Effect.gen(function* () {
            if (yield* records.complete(id, size)) return { ...upload, size };
            return yield* new StoreUnavailable({ detail: "the upload took too long and was removed" });
          });
          return yield* settle(id, complete);
        });
        const received = yield* Effect.onError(kept, () => discardIncomplete(account, id));
        if (received.id !== id) yield* discard(id);
        return received;
      });

      const receiveOnce = <E, R>(account: AccountId, file: IncomingFile<E, R>, key: CreationKey | undefined) =>
        receiveWith<E, RepeatError, R>(
          account,
          file,
          Effect.fnUntraced(function* (id, complete) {
            if (key === undefined) return yield* complete;
            // A repeated request can be compared with the first upload only after its contents have arrived.
            const request = { name: file.name, type: file.type, hash: yield* digest.sha256(contents.read(id)) };
            return yield* creations.once(
              key,
              { operation: "uploads.receive", request },
              (claim) => transaction.run(Effect.andThen(claim.complete(id), complete)),
              (first) => records.find(account, first),
            );
          }),
        );

      const open = Effect.fn("Uploads.open")(function* (account: AccountId, id: string) {
        yield* checkId({ id });
        const found = yield* records.find(account, id);
        const now = yield* Clock.currentTimeMillis;
        if (Option.isNone(found) || !isKept(found.value, now)) return yield* new UploadNotFound();
        return { upload: found.value, bytes: contents.read(id) };
      });

      const sweep = Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis;
        for (;;) {
          const ids = yield* records.retire(
            now - Duration.toMillis(UPLOAD_LIFETIME),
            now - Duration.toMillis(UPLOAD_PATIENCE),
            BATCH,
          );
          yield* Effect.forEach(ids, contents.remove, { discard: true });
          if (ids.length > 0) yield* records.remove(ids);
          if (ids.length < BATCH) return;
        }
      }).pipe(Effect.withSpan("Uploads.sweep"));

      return Uploads.of({
        receive: (account, file) => receiveWith(account, file, (_, complete) => complete),
        receiveOnce,
        open,
        sweep,
      });
    }),
  );
}

const limitBytes = <E, R>(
  maxBytes: number,
  bytes: Stream.Stream<Uint8Array, E, R>,
): Stream.Stream<Uint8Array, E | UploadTooLarge, R> =>
  Stream.suspend(() => {
    let total = 0;
    return Stream.tap(bytes, (part): Effect.Effect<void, UploadTooLarge> => {
      total += part.length;
      return total > maxBytes ? Effect.fail(new UploadTooLarge({ maxBytes })) : Effect.void;
    });
  });
