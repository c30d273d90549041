import { type Session, Sessions } from "@postern/core/auth";
import type { AccountId } from "@postern/core/shared";
import { Effect, HashMap, Layer, Option } from "effect";
import { isAfter } from "../store/is-after.ts";
import { changeRow } from "../store/change-row.ts";
import { Memory } from "../store/Memory.ts";

const isLiveOf = (account: AccountId, now: number, session: Session): boolean =>
  session.account === account && now < Math.min(session.expiresAt, session.absoluteExpiresAt);

/** Sessions, kept in memory. */
export const layer = Layer.effect(
  Sessions,
  Effect.gen(function* () {
    const { cell } = yield* Memory;
    const sessions = yield* cell("sessions", HashMap.empty<string, Session>());
    const where = (wanted: (session: Session) => boolean) =>
      Effect.map(sessions.get, (all) => [...HashMap.values(all)].filter(wanted));
    const removeWhere = (unwanted: (session: Session) => boolean, limit = Infinity) =>
      sessions.modify((all) => {
        const removed = [...HashMap.values(all)].filter(unwanted).slice(0, limit);
        return [
          removed,
          HashMap.removeMany(
            all,
            removed.map(({ id }) => id),
          ),
        ];
      });

    return Sessions.of({
      insert: (session) =>
        sessions.modify((all) => [
          undefined,
          HashMap.has(all, session.id) ? all : HashMap.set(all, session.id, session),
        ]),
      find: (id) => Effect.map(sessions.get, HashMap.get(id)),
      findByCookie: (hash) =>
        Effect.map(
          where((session) => session.kind === "cookie" && session.cookieHash === hash),
          ([session]) => Option.fromUndefinedOr(session),
        ),
      change: (id, decide) => changeRow(sessions, id, decide),
      list: (account, now, limit, after) =>
        Effect.map(
          where((session) => isLiveOf(account, now, session) && isAfter(session, after)),
          (found) => found.toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1)).slice(0, limit),
        ),
      hasLive: (account, now) =>
        Effect.map(
          where((session) => isLiveOf(account, now, session)),
          (found) => found.length > 0,
        ),
      remove: (account, id) =>
        Effect.map(
          removeWhere((session) => session.account === account && session.id === id),
          (removed) => removed.length > 0,
        ),
      removeAll: (account) => Effect.asVoid(removeWhere((session) => session.account === account)),
      removeExpired: (now, limit) =>
        Effect.map(
          removeWhere(({ expiresAt, absoluteExpiresAt }) => expiresAt <= now || absoluteExpiresAt <= now, limit),
          (removed) => removed.map(({ account }) => account),
        ),
    });
  }),
);
