import type { AccountId, MessageRef } from "@postern/core/shared";
import { type BegunMove, MovedMessages } from "@postern/core/watch";
import { Effect, HashMap, Layer, Option } from "effect";
import { Memory } from "../store/Memory.ts";

/** Maximum number of left locations that are kept for one message. */
const MAX_LOCATIONS = 64;

const keyOf = ({ folderId, uidValidity, uid }: MessageRef) => JSON.stringify([folderId, uidValidity, uid]);

interface Left {
  readonly account: AccountId;
  readonly from: MessageRef;
  readonly now: MessageRef;
  readonly id: MessageRef;
  readonly movedAt: number;
}

interface Begun {
  readonly account: AccountId;
  readonly move: BegunMove;
}

/** Returns the rows after messages moved; a location that a message already left stays unchanged. */
const moved = (
  rows: HashMap.HashMap<string, Left>,
  account: AccountId,
  moves: ReadonlyArray<Pick<Left, "from" | "now">>,
  movedAt: number,
): HashMap.HashMap<string, Left> => {
  const nameOf = (of: AccountId, ref: MessageRef): string => `${of} ${keyOf(ref)}`;
  const name = (ref: MessageRef) => nameOf(account, ref);
  const left = new Map([...HashMap.values(rows)].map((row) => [nameOf(row.account, row.from), row] as const));
  const arrivedAt = Map.groupBy(left.values(), (row) => nameOf(row.account, row.now));
  for (const { from, now } of moves) {
    const earlier = arrivedAt.get(name(from)) ?? [];
    const id = earlier[0]?.id ?? from;
    const others = earlier.filter((row) => keyOf(row.from) !== keyOf(id));
    const gone = new Set(others.toSorted((one, other) => other.movedAt - one.movedAt).slice(MAX_LOCATIONS - 2));
    const kept = earlier.filter((row) => !gone.has(row)).map((row) => ({ ...row, now, id }));
    for (const row of gone) left.delete(name(row.from));
    const came = left.has(name(from)) ? kept : [...kept, { account, from, now, id, movedAt }];
    for (const row of came) left.set(name(row.from), row);
    arrivedAt.delete(name(from));
    arrivedAt.set(name(now), [...(arrivedAt.get(name(now)) ?? []), ...came]);
  }
  return HashMap.fromIterable(left);
};

/** The locations that messages left and the moves before their outcome, kept in memory. */
export const layer = Layer.effect(
  MovedMessages,
  Effect.gen(function* () {
    const { cell, transaction } = yield* Memory;
    const left = yield* cell("moved messages", HashMap.empty<string, Left>());
    const begun = yield* cell("begun moves", HashMap.empty<string, Begun>());
    const beginKey = (account: AccountId, { from, toFolderId }: Pick<BegunMove, "from" | "toFolderId">) =>
      `${account} ${keyOf(from)} ${toFolderId}`;
    const leftOf = (account: AccountId) =>
      Effect.map(left.get, (all) => [...HashMap.values(all)].filter((row) => row.account === account));
    const begunOf = (account: AccountId) =>
      Effect.map(begun.get, (all) =>
        [...HashMap.values(all)].flatMap((row) => (row.account === account ? [row.move] : [])),
      );

    return MovedMessages.of({
      begin: (account, moves) =>
        begun.modify((all) => [
          undefined,
          moves.reduce((map, move) => HashMap.set(map, beginKey(account, move), { account, move }), all),
        ]),
      settle: (account, moves, movedAt) => {
        const froms = new Set(moves.map(({ from }) => keyOf(from)));
        return transaction(
          Effect.andThen(
            left.modify((all) => [undefined, moved(all, account, moves, movedAt)]),
            begun.modify((all) => [
              undefined,
              HashMap.filter(all, ({ account: of, move }) => of !== account || !froms.has(keyOf(move.from))),
            ]),
          ),
        );
      },
      giveUp: (account, moves) =>
        begun.modify((all) => [
          undefined,
          moves.reduce((map, given) => {
            const key = beginKey(account, given);
            const known = Option.getOrUndefined(HashMap.get(map, key));
            return known?.move.begunAt === given.begunAt ? HashMap.remove(map, key) : map;
          }, all),
        ]),
      find: Effect.fnUntraced(function* (account, places) {
        const asked = new Set(places.flatMap(({ uids, ...at }) => uids.map((uid) => keyOf({ ...at, uid }))));
        const rows = yield* leftOf(account);
        return {
          left: rows.flatMap(({ from, now, id }) =>
            asked.has(keyOf(from)) || asked.has(keyOf(now)) ? [{ from, now, id }] : [],
          ),
          isMoving: asked.size > 0 && (yield* begunOf(account)).length > 0,
        };
      }),
      listBegun: begunOf,
      listFolders: (account) =>
        Effect.zipWith(leftOf(account), begunOf(account), (left, moves) => [
          ...new Set([...left, ...moves].map(({ from }) => from.folderId)),
        ]),
      removeOld: (before) => begun.modify((all) => [false, HashMap.filter(all, ({ move }) => move.begunAt >= before)]),
      trim: (most) =>
        left.modify((all) => {
          const byAccount = Map.groupBy(HashMap.values(all), ({ account }) => account);
          const [account, rows] = [...byAccount].find(([, rows]) => rows.length > most) ?? [];
          if (rows === undefined) return [false, all];
          const oldest = rows.toSorted((one, other) => one.movedAt - other.movedAt).slice(0, rows.length - most);
          const gone = new Set(oldest.map(({ now }) => keyOf(now)));
          return [true, HashMap.filter(all, (row) => row.account !== account || !gone.has(keyOf(row.now)))];
        }),
      erase: (account) =>
        transaction(
          Effect.as(
            Effect.andThen(
              left.modify((all) => [undefined, HashMap.filter(all, (row) => row.account !== account)]),
              begun.modify((all) => [undefined, HashMap.filter(all, (row) => row.account !== account)]),
            ),
            false,
          ),
        ),
    });
  }),
);
