import { UploadContents } from "@postern/core/send";
import { StoreUnavailable } from "@postern/core/shared";
import { Cause, Deferred, Effect, Layer, Stream } from "effect";
import { PosternError } from "../PosternError.ts";
import type { PosternUploads } from "./PosternUploads.ts";

/** The time in which the store must notice that an upload was interrupted. */
const PATIENCE = "5 seconds";

/** Returns the port over a store of the host. */
export const uploadContents = (store: PosternUploads): Layer.Layer<UploadContents> =>
  Layer.succeed(UploadContents, {
    write: Effect.fn("UploadContents.write")(function* <E, R>(id: string, bytes: Stream.Stream<Uint8Array, E, R>) {
      let size = 0;
      let isRead = false;
      let broken: Cause.Cause<E> | undefined;
      const brokenOff = new PosternError("the upload broke off", { code: "upload_broken_off" });
      const abandoned = yield* Deferred.make<never, PosternError>();
      const parts = yield* bytes.pipe(
        // Each part is copied, because the caller may overwrite a part after passing it on.
        Stream.map((part) => {
          size += part.length;
          return part.slice();
        }),
        Stream.onEnd(Effect.sync(() => (isRead = true))),
        Stream.catchCause((cause) => {
          // A store that leaves the loop early interrupts the stream.
          broken = Cause.hasInterruptsOnly(cause) ? undefined : cause;
          return Stream.fail(brokenOff);
        }),
        Stream.interruptWhen(Deferred.await(abandoned)),
        Stream.toAsyncIterableEffect,
      );
      const writing = Promise.resolve().then(() => store.write(id, parts));
      yield* Effect.onInterrupt(Effect.ignore(Effect.tryPromise(() => writing)), () =>
        Deferred.fail(abandoned, brokenOff).pipe(
          Effect.andThen(Effect.timeoutOption(Effect.ignore(Effect.tryPromise(() => writing)), PATIENCE)),
        ),
      );
      if (broken !== undefined) return yield* Effect.failCause(broken);
      yield* attempt(() => writing);
      return isRead ? size : yield* unavailable("not all bytes were read");
    }),
    read: (id) =>
      Stream.unwrap(
        Effect.map(
          attempt(() => store.read(id)),
          (bytes) =>
            bytes === null || bytes === undefined
              ? Stream.fail(unavailable(`there is no upload ${id}`))
              : Stream.fromAsyncIterable(bytes, unavailable),
        ),
      ),
    remove: (id) => Effect.asVoid(attempt(() => store.remove(id))),
  });

const unavailable = (error: unknown): StoreUnavailable =>
  new StoreUnavailable({ detail: `the store of uploads: ${error instanceof Error ? error.message : String(error)}` });

const attempt = <A>(run: () => Promise<A>): Effect.Effect<A, StoreUnavailable> =>
  Effect.tryPromise({ try: async () => run(), catch: unavailable });
