import { Clock, Context, Effect, Layer, Option } from "effect";
import { type AccountId, type InputInvalid, type StoreUnavailable, Transaction } from "../shared/index.ts";
import { type Page, type PageRequest, readPage } from "../shared/neighbours.ts";
import { CredentialRelease } from "./CredentialRelease.ts";
import { SessionNotFound } from "./errors.ts";
import { Sessions } from "./ports/Sessions.ts";
import type { Session } from "./Session.ts";
import { isLive } from "./session-state.ts";

/** How many expired sessions are removed in one transaction. */
const BATCH = 200;

/** Lists and ends the sessions of an account (spec 3.4). */
export class AccountSessions extends Context.Service<
  AccountSessions,
  {
    /** Returns a page of the sessions that have not ended, most recent first. */
    readonly page: (
      account: AccountId,
      request: PageRequest,
    ) => Effect.Effect<Page<Session>, InputInvalid | StoreUnavailable>;
    /** Returns a session that has not ended. */
    readonly find: (account: AccountId, id: string) => Effect.Effect<Session, SessionNotFound | StoreUnavailable>;
    /** Ends a session: when this returns, every process refuses its tokens or cookie. Releases the mail credential after the last session. */
    readonly end: (account: AccountId, id: string) => Effect.Effect<void, SessionNotFound | StoreUnavailable>;
    /** Removes expired sessions and mail credentials that are no longer needed. */
    readonly sweep: Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/auth/AccountSessions") {
  static readonly layer = Layer.effect(
    AccountSessions,
    Effect.gen(function* () {
      const sessions = yield* Sessions;
      const transaction = yield* Transaction;
      const { release: releaseCredential } = yield* CredentialRelease;

      const removeExpired = Effect.fnUntraced(function* () {
        const removed = yield* sessions.removeExpired(yield* Clock.currentTimeMillis, BATCH);
        for (const account of new Set(removed.toSorted())) yield* releaseCredential(account);
        return removed.length;
      }, transaction.run);

      return AccountSessions.of({
        page: Effect.fn("AccountSessions.page")(function* (account, request) {
          const now = yield* Clock.currentTimeMillis;
          const placeOf = ({ createdAt, id }: Session) => ({ at: createdAt, id });
          return yield* readPage(request, placeOf, (after, limit) => sessions.list(account, now, limit, after));
        }),
        find: Effect.fn("AccountSessions.find")(function* (account, id) {
          const now = yield* Clock.currentTimeMillis;
          const found = yield* sessions.find(id);
          const own = Option.filter(found, (session) => session.account === account && isLive(session, now));
          return Option.isSome(own) ? own.value : yield* new SessionNotFound();
        }),
        end: Effect.fn("AccountSessions.end")(function* (account, id) {
          if (!(yield* sessions.remove(account, id))) return yield* new SessionNotFound();
          yield* releaseCredential(account);
        }, transaction.run),
        sweep: Effect.gen(function* () {
          while ((yield* removeExpired()) === BATCH);
        }).pipe(Effect.withSpan("AccountSessions.sweep")),
      });
    }),
  );
}
