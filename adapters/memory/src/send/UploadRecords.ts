import { type Upload, UploadRecords } from "@postern/core/send";
import { Effect, HashMap, HashSet, Layer, Option } from "effect";
import { Memory } from "../store/Memory.ts";

interface Held {
  readonly upload: Upload;
  readonly state: "incoming" | "complete" | "retired";
  readonly pins: HashSet.HashSet<string>;
}

/** Records of uploads, kept in memory. */
export const layer = Layer.effect(
  UploadRecords,
  Effect.gen(function* () {
    const { cell } = yield* Memory;
    const uploads = yield* cell("uploads", HashMap.empty<string, Held>());
    const retired = (held: Held): Held => ({ ...held, state: "retired" });

    return UploadRecords.of({
      begin: (begun) =>
        uploads.modify((all) => {
          const held: Held = { upload: { ...begun, size: 0 }, state: "incoming", pins: HashSet.empty() };
          return [undefined, HashMap.set(all, begun.id, held)];
        }),
      complete: (id, size) =>
        uploads.modify((all) => {
          const held = HashMap.getUnsafe(all, id);
          if (held.state !== "incoming") return [false, all];
          const upload = { ...held.upload, size };
          return [true, HashMap.set(all, id, { ...held, upload, state: "complete" as const })];
        }),
      find: (account, id) =>
        Effect.map(uploads.get, (all) =>
          HashMap.get(all, id).pipe(
            Option.filter(({ upload, state }) => state === "complete" && upload.account === account),
            Option.map(({ upload, pins }) => ({ ...upload, isPinned: HashSet.size(pins) > 0 })),
          ),
        ),
      pin: (account, ids, holder) =>
        uploads.modify((all) => {
          const isThere = ids.every((id) =>
            Option.exists(
              HashMap.get(all, id),
              ({ upload, state }) => state === "complete" && upload.account === account,
            ),
          );
          const pinned = HashMap.map(all, (held, id) =>
            ids.includes(id) ? { ...held, pins: HashSet.add(held.pins, holder) } : held,
          );
          return [isThere, isThere ? pinned : all];
        }),
      unpin: (holders) =>
        uploads.modify((all) => [
          undefined,
          HashMap.map(all, (held) =>
            holders.some((holder) => HashSet.has(held.pins, holder))
              ? { ...held, pins: HashSet.difference(held.pins, HashSet.fromIterable(holders)) }
              : held,
          ),
        ]),
      retire: (expired, abandoned, limit) =>
        uploads.modify((all, isLocked) => {
          const isOver = ({ upload: { createdAt }, state, pins }: Held) =>
            (state === "complete" && createdAt < expired && HashSet.size(pins) === 0) ||
            (state === "incoming" && createdAt < abandoned);
          const after = HashMap.map(all, (held, id) => (isOver(held) && !isLocked(id) ? retired(held) : held));
          const ids = [...HashMap.values(after)].flatMap(({ upload, state }) => (state === "retired" ? upload.id : []));
          return [ids.slice(0, limit), after];
        }),
      erase: (account) =>
        uploads.modify((all) => [
          undefined,
          HashMap.map(all, (held) => (held.upload.account === account ? retired(held) : held)),
        ]),
      remove: (ids) => uploads.modify((all) => [undefined, HashMap.removeMany(all, ids)]),
    });
  }),
);
