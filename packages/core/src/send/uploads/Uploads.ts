import { Clock, Context, Duration, Effect, Layer, Option, Stream } from "effect";
import { type AccountId, Entropy, type InputInvalid, StoreUnavailable } from "../../shared/index.ts";
import { checkId } from "../../shared/neighbours.ts";
import { UploadNotFound, UploadTooLarge } from "../errors.ts";
import { fileName } from "./file-name.ts";
import { MAX_ATTACHMENT_BYTES, UPLOAD_LIFETIME, UPLOAD_PATIENCE } from "../limits.ts";
import { UploadContents } from "../ports/UploadContents.ts";
import { UploadRecords } from "../ports/UploadRecords.ts";
import { isKept } from "./is-kept.ts";
import type { IncomingFile, Upload } from "./Upload.ts";

/** Files removed per transaction. */
const BATCH = 100;

/** Receives files for sending, and removes them after 24 hours unless a message pins them (spec 6). */
export class Uploads extends Context.Service<
  Uploads,
  {
    /** Receives a file as a stream; nothing is kept unless it is complete. */
    readonly receive: <E, R>(
      account: AccountId,
      file: IncomingFile<E, R>,
    ) => Effect.Effect<Upload, E | UploadTooLarge | StoreUnavailable, R>;
    /** Reads a file of the account back, while it is kept. */
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

      /** Removes an upload; if that fails, the sweep removes it later. */
      const discard = (id: string) =>
        Effect.andThen(contents.remove(id), records.remove([id])).pipe(
          Effect.catchCause((cause) => Effect.logWarning("removing an upload failed, the sweep retries", cause)),
        );

      const receive = Effect.fn("Uploads.receive")(function* <E, R>(
        account: AccountId,
        { name, type, bytes }: IncomingFile<E, R>,
      ) {
        const id = `up_${yield* entropy.id(128)}`;
        const upload = { id, account, name: fileName(name), type, createdAt: yield* Clock.currentTimeMillis };
        const kept = Effect.gen(function* () {
          yield* records.begin(upload);
          const size = yield* contents.write(id, atMost(MAX_ATTACHMENT_BYTES, bytes));
          if (yield* records.complete(id, size)) return { ...upload, size };
          return yield* new StoreUnavailable({ detail: "the upload took too long and was removed" });
        });
        return yield* Effect.onError(kept, () => discard(id));
      });

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

      return Uploads.of({ receive, open, sweep });
    }),
  );
}

const atMost = <E, R>(
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
