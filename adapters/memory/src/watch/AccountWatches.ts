import type { AccountId, Lease } from "@postern/core/shared";
import { AccountWatches } from "@postern/core/watch";
import { Effect, HashMap, Layer } from "effect";
import { Memory } from "../store/Memory.ts";

interface Watch {
  readonly wantedUntil: number;
  readonly lease: Lease | null;
  readonly epoch: number;
  /** Whether a node has, or had, this watch. */
  readonly wasClaimed: boolean;
}

/** Watches, kept in memory; the nodes share them. */
export const layer = Layer.effect(
  AccountWatches,
  Effect.gen(function* () {
    const { cell, wake: wakeUp, listen, isOursAlone, transaction } = yield* Memory;
    const watches = yield* cell("watches", HashMap.empty<AccountId, Watch>());
    const nodes = yield* cell("nodes", HashMap.empty<string, number>());
    const changed = yield* listen("watches");
    const wake = wakeUp("watches");

    const change = (
      which: (watch: Watch, account: AccountId, isLocked: (account: AccountId) => boolean) => boolean,
      to: (watch: Watch) => Watch | null,
      limit = Infinity,
    ) =>
      watches.modify((all, isLocked) => {
        let after = all;
        const changed: Array<AccountId> = [];
        for (const [account, watch] of all) {
          if (changed.length >= limit) break;
          if (!which(watch, account, isLocked)) continue;
          const next = to(watch);
          after = next === null ? HashMap.remove(after, account) : HashMap.set(after, account, next);
          changed.push(account);
        }
        return [changed.toSorted().map((account) => ({ account, watch: HashMap.get(after, account) })), after];
      });
    const leased = (changed: Effect.Success<ReturnType<typeof change>>) =>
      changed.flatMap(({ account, watch }) => (watch._tag === "Some" ? [{ account, epoch: watch.value.epoch }] : []));
    const free = (watch: Watch): Watch => ({ ...watch, lease: null });
    const extend = (account: AccountId, until: number) =>
      Effect.map(
        change(
          (_, one) => one === account,
          (watch) => ({ ...watch, wantedUntil: Math.max(watch.wantedUntil, until) }),
        ),
        (changed) => changed.length > 0,
      );

    const claimWhere = (which: (watch: Watch) => boolean, now: number, lease: Lease, limit: number) =>
      Effect.map(
        change(
          (watch, account, isLocked) =>
            which(watch) && (watch.lease === null || watch.lease.until <= now) && !isLocked(account),
          (watch) => ({ ...watch, lease, epoch: watch.epoch + 1, wasClaimed: true }),
          limit,
        ),
        leased,
      );

    return AccountWatches.of({
      isOursAlone,
      extend,
      selectWatched: (accounts) =>
        Effect.map(watches.get, (all) => new Set(accounts.filter((account) => HashMap.has(all, account)))),
      add: Effect.fnUntraced(function* (account, until) {
        const watch: Watch = { wantedUntil: until, lease: null, epoch: until, wasClaimed: false };
        const isNew = yield* watches.modify((all) =>
          HashMap.has(all, account) ? [false, all] : [true, HashMap.set(all, account, watch)],
        );
        yield* isNew ? wake : extend(account, until);
        return isNew;
      }),
      beat: (now, { token, until }) =>
        Effect.zipWith(
          nodes.modify((all) => {
            const after = HashMap.filter(HashMap.set(all, token, until), (until) => until > now);
            return [HashMap.size(after), after];
          }),
          watches.get,
          (alive, all) => ({ nodes: alive, accounts: HashMap.size(all) }),
        ),
      claim: Effect.fnUntraced(function* (now, lease, limit) {
        const continued = yield* claimWhere(({ wasClaimed }) => wasClaimed, now, lease, limit);
        const first = yield* claimWhere(({ wasClaimed }) => !wasClaimed, now, lease, limit - continued.length);
        return [
          ...continued.map((watch) => ({ ...watch, isFirst: false })),
          ...first.map((watch) => ({ ...watch, isFirst: true })),
        ];
      }),
      renew: (lease) =>
        Effect.map(
          change(
            (watch) => watch.lease?.token === lease.token,
            (watch) => ({ ...watch, lease }),
          ),
          leased,
        ),
      holds: ({ account, epoch }, token) =>
        Effect.map(Effect.andThen(watches.lock([account]), watches.get), (all) => {
          const watch = HashMap.get(all, account);
          return watch._tag === "Some" && watch.value.lease?.token === token && watch.value.epoch === epoch;
        }),
      release: (accounts, token) =>
        Effect.andThen(
          change(({ lease }, account) => lease?.token === token && accounts.includes(account), free),
          wake,
        ),
      leave: (token) =>
        transaction(
          Effect.gen(function* () {
            yield* change(({ lease }) => lease?.token === token, free);
            yield* nodes.modify((all) => [undefined, HashMap.remove(all, token)]);
            yield* wake;
          }),
        ),
      findEnding: (token, until) =>
        Effect.map(watches.get, (all) => {
          const ending: Array<AccountId> = [];
          for (const [account, watch] of all) {
            if (watch.lease?.token === token && watch.wantedUntil <= until) ending.push(account);
          }
          return ending;
        }),
      end: (accounts, token, by) =>
        Effect.flatMap(
          change(
            ({ lease, wantedUntil }, account) =>
              lease?.token === token && accounts.includes(account) && wantedUntil <= by,
            () => null,
          ),
          (ended) => (ended.length > 0 ? wake : Effect.void),
        ),
      erase: (account) =>
        Effect.andThen(
          change(
            (_, one) => one === account,
            () => null,
          ),
          wake,
        ),
      changed,
    });
  }),
);
