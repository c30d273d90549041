import { type Draft, DraftRecords } from "@postern/core/drafts";
import type { Lease } from "@postern/core/shared";
import { Effect, HashMap, Layer, Option } from "effect";
import { Memory } from "../store/Memory.ts";

interface Row {
  readonly draft: Draft;
  readonly lease: Lease | null;
}

/** Returns the time from which a row may be claimed; infinite if it can never be claimed. */
const claimableAt = ({ draft, lease }: Row): number => lease?.until ?? draft.checkAt ?? Infinity;

/** Drafts, kept in memory. */
export const layer = Layer.effect(
  DraftRecords,
  Effect.gen(function* () {
    const { cell, wake: wakeUp, listen } = yield* Memory;
    const rows = yield* cell("drafts", HashMap.empty<string, Row>());
    const changed = yield* listen("drafts");
    const wake = wakeUp("drafts");
    const values = (all: HashMap.HashMap<string, Row>) => [...HashMap.values(all)];

    /** Changes the rows with these `ids` that this token holds; returns the ids of the changed rows. */
    const changeHeld = (ids: ReadonlyArray<string>, token: string, change: (row: Row) => Row) =>
      rows.modify((all) => {
        const held = ids.filter((id) => Option.exists(HashMap.get(all, id), ({ lease }) => lease?.token === token));
        return [new Set(held), held.reduce((map, id) => HashMap.modify(map, id, change), all)];
      });

    return DraftRecords.of({
      insert: (draft) =>
        Effect.tap(
          rows.modify((all) =>
            HashMap.has(all, draft.id) ? [false, all] : [true, HashMap.set(all, draft.id, { draft, lease: null })],
          ),
          wake,
        ),
      find: (account, id) =>
        Effect.map(rows.get, (all) =>
          HashMap.get(all, id).pipe(
            Option.map(({ draft }) => draft),
            Option.filter((draft) => draft.account === account),
          ),
        ),
      list: (account) =>
        Effect.map(rows.get, (all) =>
          values(all)
            .map(({ draft }) => draft)
            .filter((draft) => draft.account === account && draft.state !== "sent")
            .toSorted((a, b) => b.savedAt - a.savedAt || (a.id < b.id ? -1 : 1)),
        ),
      change: (account, id, decide) =>
        Effect.tap(
          Effect.andThen(
            rows.lock([id]),
            rows.modify((all) => {
              const row = Option.getOrUndefined(HashMap.get(all, id));
              if (row === undefined || row.draft.account !== account) return [Option.none(), all];
              const [answer, draft] = decide(row.draft);
              if (draft === row.draft) return [Option.some(answer), all];
              const lease = draft.checkAt === row.draft.checkAt ? row.lease : null;
              return [Option.some(answer), HashMap.set(all, id, { draft, lease })];
            }),
          ),
          wake,
        ),
      remove: (account, id) =>
        rows.modify((all) => [
          undefined,
          HashMap.filter(all, ({ draft }) => draft.id !== id || draft.account !== account),
        ]),

      claim: (now, lease, limit) =>
        rows.modify((all, isLocked) => {
          const due = values(all)
            .filter((row) => claimableAt(row) <= now && !isLocked(row.draft.id))
            .toSorted((a, b) => claimableAt(a) - claimableAt(b) || (a.draft.id < b.draft.id ? -1 : 1))
            .slice(0, limit);
          const leased = due.reduce((map, row) => HashMap.set(map, row.draft.id, { ...row, lease }), all);
          return [due.map(({ draft }) => draft), leased];
        }),
      renew: (ids, lease) => changeHeld(ids, lease.token, (row) => ({ ...row, lease })),
      release: (ids, token, now) =>
        Effect.andThen(
          changeHeld(ids, token, ({ draft }) => ({ draft: { ...draft, checkAt: now }, lease: null })),
          wake,
        ),
      nextDue: Effect.map(rows.get, (all) => {
        const first = values(all).reduce((least, row) => Math.min(least, claimableAt(row)), Infinity);
        return first === Infinity ? Option.none() : Option.some(first);
      }),
      changed,

      hasUnfinished: (account) =>
        Effect.map(rows.get, (all) =>
          values(all).some((row) => row.draft.account === account && claimableAt(row) < Infinity),
        ),
      forget: (before, limit) =>
        rows.modify((all) => {
          const ids = values(all)
            .filter((row) => row.draft.copy === null && row.draft.savedAt < before && claimableAt(row) === Infinity)
            .map(({ draft }) => draft.id)
            .slice(0, limit);
          return [ids, HashMap.removeMany(all, ids)];
        }),
      erase: (account) => rows.modify((all) => [false, HashMap.filter(all, ({ draft }) => draft.account !== account)]),
    });
  }),
);
