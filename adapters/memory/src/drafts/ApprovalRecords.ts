import { type Approval, ApprovalRecords, type PendingFilter } from "@postern/core/drafts";
import { Effect, HashMap, Layer, Option } from "effect";
import { Memory } from "../store/Memory.ts";

const matches = (filter: PendingFilter, { account, draftId, by, expiresAt }: Approval): boolean => {
  if ("draft" in filter) return account === filter.account && draftId === filter.draft;
  return "requester" in filter ? by.id === filter.requester : expiresAt <= filter.expiresBy;
};

type Place = Pick<Approval, "createdAt" | "id">;

const isBefore = (one: Place, other: Place): boolean =>
  one.createdAt < other.createdAt || (one.createdAt === other.createdAt && one.id < other.id);

/** Approvals, kept in memory. */
export const layer = Layer.effect(
  ApprovalRecords,
  Effect.gen(function* () {
    const { cell } = yield* Memory;
    const rows = yield* cell("approvals", HashMap.empty<string, Approval>());
    const ordered = (all: HashMap.HashMap<string, Approval>) =>
      [...HashMap.values(all)].toSorted((one, other) => (isBefore(one, other) ? -1 : 1));

    return ApprovalRecords.of({
      insert: (approval) => rows.modify((all) => [undefined, HashMap.set(all, approval.id, approval)]),
      find: (account, id) =>
        Effect.map(rows.get, (all) => Option.filter(HashMap.get(all, id), (one) => one.account === account)),
      list: (account, state, after, limit) =>
        Effect.map(rows.get, (all) =>
          ordered(all)
            .toReversed()
            .filter(
              (one) =>
                one.account === account &&
                (state === undefined || one.state === state) &&
                (after === undefined || isBefore(one, { createdAt: after.at, id: after.id })),
            )
            .slice(0, limit),
        ),
      pending: (filter, limit) =>
        Effect.map(rows.get, (all) =>
          ordered(all)
            .filter((one) => one.state === "pending" && matches(filter, one))
            .slice(0, limit),
        ),
      change: (account, id, decide) =>
        Effect.andThen(
          rows.lock([id]),
          rows.modify((all) => {
            const known = Option.filter(HashMap.get(all, id), (one) => one.account === account);
            if (Option.isNone(known)) return [Option.none(), all];
            const [answer, after] = decide(known.value);
            return [Option.some(answer), after === known.value ? all : HashMap.set(all, id, after)];
          }),
        ),
      forget: (before, limit) =>
        rows.modify((all) => {
          const old = ordered(all)
            .filter(({ state, createdAt }) => state !== "pending" && createdAt < before)
            .slice(0, limit)
            .map(({ id }) => id);
          return [old.length, HashMap.removeMany(all, old)];
        }),
      erase: (account) => rows.modify((all) => [false, HashMap.filter(all, (one) => one.account !== account)]),
    });
  }),
);
