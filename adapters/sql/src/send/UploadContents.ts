import { StoreUnavailable } from "@postern/core/shared";
import { UploadContents } from "@postern/core/send";
import { Effect, Layer, Option, Stream } from "effect";
import { Database } from "../database/Database.ts";

/** Bytes per row (spec 6). */
const CHUNK = 256 * 1024;

/**
 * The contents of uploads in `upload_chunk` (spec 6), for processes that share only the database. Each row has its own
 * transaction, so a slow client does not hold a connection.
 */
export const layer: Layer.Layer<UploadContents, never, Database> = Layer.effect(
  UploadContents,
  Effect.gen(function* () {
    const { query } = yield* Database;

    const insert = (id: string, n: number, bytes: Uint8Array) =>
      query((db) => db.insertInto("upload_chunk").values({ upload_id: id, n, bytes }).execute());

    const chunk = Effect.fnUntraced(function* (id: string, n: number) {
      const row = yield* query((db) =>
        db.selectFrom("upload_chunk").select("bytes").where("upload_id", "=", id).where("n", "=", n).executeTakeFirst(),
      );
      if (row !== undefined) return row.bytes;
      return n > 0 ? undefined : yield* new StoreUnavailable({ detail: "the contents of an upload are missing" });
    });

    return UploadContents.of({
      write: Effect.fn("UploadContents.write")(function* (id, bytes) {
        const waiting = new Uint8Array(CHUNK);
        let [size, filled, n] = [0, 0, 0];
        const flush = Effect.suspend(() => insert(id, n++, waiting.subarray(0, filled))).pipe(
          Effect.andThen(Effect.sync(() => (filled = 0))),
        );
        const take = Effect.fnUntraced(function* (part: Uint8Array) {
          size += part.length;
          for (let from = 0; from < part.length;) {
            const piece = part.subarray(from, from + CHUNK - filled);
            waiting.set(piece, filled);
            filled += piece.length;
            from += piece.length;
            if (filled === CHUNK) yield* flush;
          }
        });
        yield* Stream.runForEach(bytes, take);
        // An empty file also gets a row.
        if (filled > 0 || n === 0) yield* flush;
        return size;
      }),

      read: (id) =>
        Stream.paginate(0, (n) =>
          Effect.map(chunk(id, n), (bytes) =>
            bytes === undefined
              ? ([[], Option.none()] as const)
              : ([[bytes], bytes.length < CHUNK ? Option.none() : Option.some(n + 1)] as const),
          ),
        ),

      remove: Effect.fn("UploadContents.remove")(function* (id) {
        yield* query((db) => db.deleteFrom("upload_chunk").where("upload_id", "=", id).execute());
      }),
    });
  }),
);
