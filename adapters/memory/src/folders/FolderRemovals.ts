import { type FolderRemoval, FolderRemovals, type RemovalLease } from "@postern/core/folders";
import { Effect, Layer, Option } from "effect";

interface Kept {
  readonly removal: FolderRemoval;
  readonly lease: RemovalLease | undefined;
}

/** A journal of folder removals as long as the process lasts. */
export const layer = Layer.sync(FolderRemovals, () => {
  const kept = new Map<string, Kept>();
  const ofFolder = ({ account, folderId }: Pick<FolderRemoval, "account" | "folderId">) =>
    [...kept.values()].find(({ removal }) => removal.account === account && removal.folderId === folderId)?.removal;
  return FolderRemovals.of({
    begin: (removal) =>
      Effect.sync(() => {
        const standing = ofFolder(removal);
        if (standing === undefined) kept.set(removal.id, { removal, lease: undefined });
        return standing ?? removal;
      }),
    find: (account, folderId) => Effect.sync(() => Option.fromUndefinedOr(ofFolder({ account, folderId }))),
    unfinished: Effect.sync(() =>
      [...kept.values()]
        .map(({ removal }) => removal)
        .filter(({ phase }) => phase !== "finished")
        .toSorted((one, other) => one.begunAt - other.begunAt),
    ),
    claim: (id, lease, now) =>
      Effect.sync(() => {
        const found = kept.get(id);
        if (found === undefined) return Option.none();
        if (found.lease !== undefined && found.lease.owner !== lease.owner && found.lease.until > now) {
          return Option.none();
        }
        kept.set(id, { ...found, lease });
        return Option.some(found.removal);
      }),
    save: (removal, lease) =>
      Effect.sync(() => {
        if (kept.get(removal.id)?.lease?.owner !== lease.owner) return false;
        kept.set(removal.id, { removal, lease });
        return true;
      }),
    release: (id, owner) =>
      Effect.sync(() => {
        const found = kept.get(id);
        if (found?.lease?.owner === owner) kept.set(id, { ...found, lease: undefined });
      }),
    forget: (id) => Effect.sync(() => void kept.delete(id)),
    erase: (account) =>
      Effect.sync(() => {
        for (const { removal } of kept.values()) if (removal.account === account) kept.delete(removal.id);
      }),
    forgetFinished: (before) =>
      Effect.sync(() => {
        for (const { removal } of kept.values()) {
          if (removal.phase === "finished" && removal.begunAt < before) kept.delete(removal.id);
        }
      }),
  });
});
