import { type FolderRemoval, FolderRemovals } from "@postern/core/folders";
import type { Lease } from "@postern/core/shared";
import { Effect, HashMap, Layer, Option } from "effect";
import { Memory } from "../store/Memory.ts";

interface Row {
  readonly removal: FolderRemoval;
  readonly lease: Lease | null;
}

/** Returns the time from which an unfinished removal may be claimed. */
const claimableAt = ({ removal, lease }: Row): number => Math.max(removal.dueAt, lease?.until ?? 0);

/** The journal of folder removals, kept in memory. */
export const layer = Layer.effect(
  FolderRemovals,
  Effect.gen(function* () {
    const { cell, lockNames, wake: wakeUp, listen } = yield* Memory;
    const rows = yield* cell("folder removals", HashMap.empty<string, Row>());
    const changed = yield* listen("folder removals");
    const wake = wakeUp("folder removals");

    const ofFolder = (
      all: HashMap.HashMap<string, Row>,
      { account, folderId }: Pick<FolderRemoval, "account" | "folderId">,
    ) =>
      [...HashMap.values(all)].find(({ removal }) => removal.account === account && removal.folderId === folderId)
        ?.removal;
    const unfinishedOf = (all: HashMap.HashMap<string, Row>) =>
      [...HashMap.values(all)].filter(({ removal }) => removal.phase !== "finished");

    /** Changes the rows with these `ids` that this token holds; returns the ids of the changed rows. */
    const changeHeld = (ids: ReadonlyArray<string>, token: string, change: (row: Row) => Row) =>
      rows.modify((all) => {
        const held = ids.filter((id) => Option.exists(HashMap.get(all, id), ({ lease }) => lease?.token === token));
        return [new Set(held), held.reduce((map, id) => HashMap.modify(map, id, change), all)];
      });
    const forgetWhere = (which: (removal: FolderRemoval) => boolean) =>
      rows.modify((all) => [undefined, HashMap.filter(all, ({ removal }) => !which(removal))]);

    return FolderRemovals.of({
      begin: Effect.fnUntraced(function* (removal) {
        yield* lockNames([`removal of ${removal.account} ${removal.folderId}`]);
        const journaled = yield* rows.modify((all) => {
          const standing = ofFolder(all, removal);
          return standing === undefined
            ? [removal, HashMap.set(all, removal.id, { removal, lease: null })]
            : [standing, all];
        });
        yield* wake;
        return journaled;
      }),

      find: (account, folderId) =>
        Effect.map(rows.get, (all) => Option.fromUndefinedOr(ofFolder(all, { account, folderId }))),

      unfinished: (account) =>
        Effect.map(rows.get, (all) =>
          unfinishedOf(all)
            .map(({ removal }) => removal)
            .filter((removal) => removal.account === account)
            .toSorted((one, other) => one.begunAt - other.begunAt),
        ),

      claim: (now, lease, limit) =>
        rows.modify((all, isLocked) => {
          const due = unfinishedOf(all)
            .filter((row) => claimableAt(row) <= now && !isLocked(row.removal.id))
            .toSorted((a, b) => a.removal.dueAt - b.removal.dueAt || (a.removal.id < b.removal.id ? -1 : 1))
            .slice(0, limit);
          const leased = due.reduce((map, row) => HashMap.set(map, row.removal.id, { ...row, lease }), all);
          return [due.map(({ removal }) => removal), leased];
        }),

      claimOne: (id, now, lease) =>
        rows.modify((all) => {
          const row = Option.getOrUndefined(HashMap.get(all, id));
          if (row === undefined || (row.lease !== null && row.lease.until > now)) return [Option.none(), all];
          return [Option.some(row.removal), HashMap.set(all, id, { ...row, lease })];
        }),

      renew: (ids, lease) => changeHeld(ids, lease.token, (row) => ({ ...row, lease })),
      release: (ids, token) =>
        Effect.andThen(
          changeHeld(ids, token, (row) => ({ ...row, lease: null })),
          wake,
        ),
      save: (removal, token) =>
        Effect.map(
          changeHeld([removal.id], token, (row) => ({ ...row, removal })),
          (held) => held.size > 0,
        ),

      forget: (id) => forgetWhere((removal) => removal.id === id),
      erase: (account) => forgetWhere((removal) => removal.account === account),
      forgetFinished: (before) => forgetWhere(({ phase, begunAt }) => phase === "finished" && begunAt < before),

      nextDue: Effect.map(rows.get, (all) => {
        const first = Math.min(...unfinishedOf(all).map(claimableAt));
        return first === Infinity ? Option.none() : Option.some(first);
      }),

      changed,
    });
  }),
);
