import type { Lease } from "@postern/core/shared";
import { type ParseJob, ParseJobs } from "@postern/core/bounces";
import { Effect, HashMap, Layer, Option } from "effect";
import { Memory } from "../store/Memory.ts";

interface Row {
  readonly job: ParseJob;
  readonly dueAt: number;
  readonly lease: Lease | null;
}

/** Returns the time from which a row may be claimed. */
const takeableAt = ({ dueAt, lease }: Row): number => lease?.until ?? dueAt;

/** Possible reports, kept in memory. */
export const layer = Layer.effect(
  ParseJobs,
  Effect.gen(function* () {
    const { cell, wake: wakeUp, listen } = yield* Memory;
    const rows = yield* cell("parse jobs", HashMap.empty<string, Row>());
    const reported = yield* cell("reported bounces", HashMap.empty<string, true>());
    const changed = yield* listen("parse jobs");
    const wake = wakeUp("parse jobs");

    const isHeld = (row: Row | undefined, token: string): boolean => row?.lease?.token === token;

    /** Changes the rows with these `ids` that this token holds; returns the ids of the changed rows. */
    const changeHeld = (ids: ReadonlyArray<string>, token: string, change: (row: Row) => Row) =>
      rows.modify((all) => {
        const kept = ids.filter((id) => isHeld(Option.getOrUndefined(HashMap.get(all, id)), token));
        const changed = kept.reduce((map, id) => HashMap.modify(map, id, change), all);
        return [new Set(kept), changed];
      });

    return ParseJobs.of({
      insert: (jobs, now) =>
        Effect.andThen(
          rows.modify((all) => [
            undefined,
            jobs.reduce(
              (map, job) =>
                HashMap.has(map, job.id) ? map : HashMap.set(map, job.id, { job, dueAt: now, lease: null }),
              all,
            ),
          ]),
          wake,
        ),

      claim: (now, lease, limit) =>
        rows.modify((all, isLocked) => {
          const due = [...HashMap.values(all)]
            .filter((row) => takeableAt(row) <= now && !isLocked(row.job.id))
            .toSorted((a, b) => takeableAt(a) - takeableAt(b) || (a.job.id < b.job.id ? -1 : 1))
            .slice(0, limit);
          const leased = due.reduce((map, row) => HashMap.set(map, row.job.id, { ...row, lease }), all);
          return [due.map(({ job }) => job), leased];
        }),

      postpone: ({ job, dueAt }, token) =>
        Effect.tap(
          rows.modify((all) =>
            isHeld(Option.getOrUndefined(HashMap.get(all, job.id)), token)
              ? [true, HashMap.set(all, job.id, { job, dueAt, lease: null })]
              : [false, all],
          ),
          wake,
        ),

      renew: (ids, lease) => changeHeld(ids, lease.token, (row) => ({ ...row, lease })),
      release: (ids, token, now) =>
        Effect.andThen(
          changeHeld(ids, token, (row) => ({ ...row, dueAt: now, lease: null })),
          wake,
        ),

      finish: (id, token) =>
        rows.modify((all) =>
          isHeld(Option.getOrUndefined(HashMap.get(all, id)), token) ? [true, HashMap.remove(all, id)] : [false, all],
        ),

      report: ({ sentId, recipient, kind }) =>
        reported.modify((all) => {
          const key = JSON.stringify([sentId, recipient, kind]);
          return HashMap.has(all, key) ? [false, all] : [true, HashMap.set(all, key, true)];
        }),

      erase: (account) => rows.modify((all) => [undefined, HashMap.filter(all, ({ job }) => job.account !== account)]),

      nextDue: Effect.map(rows.get, (all) => {
        const first = [...HashMap.values(all)].reduce((least, row) => Math.min(least, takeableAt(row)), Infinity);
        return first === Infinity ? Option.none() : Option.some(first);
      }),

      changed,
    });
  }),
);
