import { StoreUnavailable, UploadContents } from "@postern/core";
import { Effect, Layer, Stream } from "effect";

/** The bytes of uploads, as long as the process lasts. */
export const UploadContentsInMemory = Layer.sync(UploadContents, () => {
  const contents = new Map<string, ReadonlyArray<Uint8Array>>();
  return UploadContents.of({
    write: (id, bytes) =>
      Stream.runFold(
        bytes,
        () => 0,
        (size, part) => {
          contents.set(id, [...(contents.get(id) ?? []), part.slice()]);
          return size + part.length;
        },
      ).pipe(Effect.tap(() => Effect.sync(() => contents.set(id, contents.get(id) ?? [])))),
    read: (id) =>
      Stream.suspend(() => {
        const parts = contents.get(id);
        return parts === undefined
          ? Stream.fail(new StoreUnavailable({ detail: "the contents of an upload are not there" }))
          : Stream.fromIterable(parts);
      }),
    remove: (id) => Effect.sync(() => void contents.delete(id)),
  });
});
