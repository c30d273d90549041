import { UploadContents } from "@postern/core/send";
import { Effect, Layer, Sink, Stream } from "effect";
import { attempt, missing, open } from "./sqlite.ts";

const make = Effect.fn(function* (file: string) {
  const { insert, select, remove } = yield* open(file);
  const partAt = Effect.fn(function* (id: string, n: number) {
    const bytes = yield* attempt(() => select.get(id, n)?.bytes as Uint8Array | undefined);
    if (bytes === undefined && n === 0) return yield* missing(id);
    return bytes === undefined ? undefined : ([bytes, n + 1] as const);
  });
  return UploadContents.of({
    write: (id, bytes) =>
      Stream.concat(Stream.make(new Uint8Array()), bytes).pipe(
        Stream.zipWithIndex,
        Stream.mapEffect(([part, n]) =>
          Effect.as(
            attempt(() => insert.run(id, n, part)),
            part.length,
          ),
        ),
        Stream.run(Sink.sum),
      ),
    read: (id) => Stream.unfold(0, (n) => partAt(id, n)),
    remove: (id) => Effect.asVoid(attempt(() => remove.run(id))),
  });
});

/** Keeps the bytes of uploads in a file of SQLite, a row for each part of the stream; part 0 is empty. */
export const uploadsInSqlite = (file: string): Layer.Layer<UploadContents> => Layer.effect(UploadContents, make(file));
