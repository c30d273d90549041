import { type AgentGrant, AgentGrantRecords } from "@postern/core/assistants";
import { Effect, HashMap, Layer } from "effect";
import { isAfter } from "../store/is-after.ts";
import { changeRow } from "../store/change-row.ts";
import { Memory } from "../store/Memory.ts";

/** Grants of assistants, kept in memory. */
export const layer = Layer.effect(
  AgentGrantRecords,
  Effect.gen(function* () {
    const { cell } = yield* Memory;
    const grants = yield* cell("agent grants", HashMap.empty<string, AgentGrant>());
    const where = (isWanted: (grant: AgentGrant) => boolean) =>
      Effect.map(grants.get, (all) => [...HashMap.values(all)].filter(isWanted));

    return AgentGrantRecords.of({
      insert: (grant) => grants.modify((all) => [undefined, HashMap.set(all, grant.id, grant)]),
      find: (id) => Effect.map(grants.get, HashMap.get(id)),
      change: (id, decide) => changeRow(grants, id, decide),
      list: (account, now, after, limit) =>
        Effect.map(
          where((grant) => grant.account === account && now < grant.expiresAt && isAfter(grant, after)),
          (found) => found.toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1)).slice(0, limit),
        ),
      hasLive: (account, now) =>
        Effect.map(
          where((grant) => grant.account === account && now < grant.expiresAt),
          (found) => found.length > 0,
        ),
      removeAll: (account) =>
        grants.modify((all) => [undefined, HashMap.filter(all, (grant) => grant.account !== account)]),
      removeExpired: (before, limit) =>
        grants.modify((all) => {
          const expired = [...HashMap.values(all)].filter(({ expiresAt }) => expiresAt < before).slice(0, limit);
          const ids = expired.map(({ id }) => id);
          return [expired.map(({ id, account }) => ({ id, account })), HashMap.removeMany(all, ids)];
        }),
    });
  }),
);
