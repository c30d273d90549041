import { type ConnectAttempt, ConnectAttempts, linkKeyOf } from "@postern/core/oauth";
import { Effect, HashMap, Layer } from "effect";
import { changeRow } from "../store/change-row.ts";
import { Memory } from "../store/Memory.ts";

/** Attempts to connect an account, kept in memory. */
export const layer = Layer.effect(
  ConnectAttempts,
  Effect.gen(function* () {
    const { cell } = yield* Memory;
    const attempts = yield* cell("connect attempts", HashMap.empty<string, ConnectAttempt>());

    return ConnectAttempts.of({
      insert: (attempt) => attempts.modify((all) => [undefined, HashMap.set(all, attempt.id, attempt)]),
      find: (id) => Effect.map(attempts.get, HashMap.get(id)),
      take: (id) => attempts.modify((all) => [HashMap.get(all, id), HashMap.remove(all, id)]),
      change: (id, decide) => changeRow(attempts, id, decide),
      countFrom: (network, now) =>
        Effect.map(
          attempts.get,
          (all) =>
            [...HashMap.values(all)].filter(
              (attempt) => attempt._tag === "Consent" && attempt.network === network && attempt.expiresAt > now,
            ).length,
        ),
      removeOf: (key, now) =>
        attempts.modify((all) => {
          const its = [...HashMap.values(all)].filter((attempt) => linkKeyOf(attempt) === key);
          const after = HashMap.filter(all, (attempt) => linkKeyOf(attempt) !== key);
          return [its.filter(({ expiresAt }) => expiresAt > now).length, after];
        }),
      removeExpired: (before) =>
        attempts.modify((all) => [undefined, HashMap.filter(all, ({ expiresAt }) => expiresAt >= before)]),
    });
  }),
);
