import { type Upload, UploadContents, UploadRecords } from "@postern/core";
import { Effect, HashMap, HashSet, Layer, Option, Stream } from "effect";
import { Memory } from "./Memory.ts";

interface Held {
  readonly upload: Upload;
  readonly pins: HashSet.HashSet<string>;
}

/** Uploads that last as long as the process. */
export const UploadRecordsInMemory = Layer.effect(
  UploadRecords,
  Effect.gen(function* () {
    const { cell } = yield* Memory;
    const uploads = yield* cell(HashMap.empty<string, Held>());
    return UploadRecords.of({
      insert: (upload) =>
        uploads.modify((all) => [undefined, HashMap.set(all, upload.id, { upload, pins: HashSet.empty() })]),
      find: (account, id) =>
        Effect.map(uploads.get, (all) =>
          HashMap.get(all, id).pipe(
            Option.map(({ upload }) => upload),
            Option.filter((upload) => upload.account === account),
          ),
        ),
      pin: (account, ids, messageId) =>
        uploads.modify((all) => [
          undefined,
          HashMap.map(all, (held, id) =>
            ids.includes(id) && held.upload.account === account
              ? { ...held, pins: HashSet.add(held.pins, messageId) }
              : held,
          ),
        ]),
      unpin: (messageId) =>
        uploads.modify((all) => [
          undefined,
          HashMap.map(all, (held) => ({ ...held, pins: HashSet.remove(held.pins, messageId) })),
        ]),
      takeExpired: (before, limit) =>
        uploads.modify((all) => {
          const ids = [...HashMap.values(all)]
            .filter(({ upload, pins }) => upload.createdAt < before && HashSet.size(pins) === 0)
            .slice(0, limit)
            .map(({ upload }) => upload.id);
          return [ids, HashMap.removeMany(all, ids)];
        }),
    });
  }),
);

/** The bytes of uploads, as long as the process lasts. */
export const UploadContentsInMemory = Layer.sync(UploadContents, () => {
  const contents = new Map<string, Uint8Array>();
  return {
    write: (id, bytes) =>
      Effect.map(Stream.runCollect(bytes), (chunks) => {
        const whole = new Uint8Array(Buffer.concat([...chunks]));
        contents.set(id, whole);
        return whole.length;
      }),
    read: (id) => Stream.suspend(() => Stream.fromIterable(contents.has(id) ? [contents.get(id)!] : [])),
    remove: (id) => Effect.sync(() => void contents.delete(id)),
  };
});
