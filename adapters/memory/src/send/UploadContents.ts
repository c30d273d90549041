import { StoreUnavailable } from "@postern/core/shared";
import { UploadContents } from "@postern/core/send";
import { Context, Effect, Layer, Stream } from "effect";
import { UploadsInMemory } from "./UploadsInMemory.ts";

/** The contents of uploads, kept in memory. */
export const layer = Layer.effectContext(
  Effect.sync(() => {
    const contents = new Map<string, ReadonlyArray<Uint8Array>>();
    return Context.make(UploadContents, {
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
            ? Stream.fail(new StoreUnavailable({ detail: "the contents of an upload are missing" }))
            : Stream.fromIterable(parts);
        }),
      remove: (id) => Effect.sync(() => void contents.delete(id)),
    }).pipe(Context.add(UploadsInMemory, { ids: Effect.sync(() => [...contents.keys()]) }));
  }),
);
