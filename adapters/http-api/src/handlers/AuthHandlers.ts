import { CurrentPrincipal, HttpsRequired, PosternApi } from "@postern/api";
import { AccountSessions, SessionTokens, TokenRejected } from "@postern/core/auth";
import { SignIn } from "@postern/core/lifecycle";
import { Apps, labelOf } from "@postern/core/oauth";
import { Effect, Redacted } from "effect";
import { handlerGroup } from "./handler-group.ts";
import { answer } from "../problems/answer.ts";
import { currentAccount } from "../auth/current-principal.ts";
import { sessionCookies } from "../auth/session-cookies.ts";
import { PublicAddress } from "../edge/PublicAddress.ts";
import { RequestId } from "../wire/RequestId.ts";
import { sessionClient } from "../wire/request-client.ts";
import { sessionView } from "../wire/session-view.ts";

/** Handlers of the sign-in and session operations (spec 3). */
export const AuthHandlers = handlerGroup(
  PosternApi,
  "auth",
  Effect.fn(function* (handlers) {
    const signIn = yield* SignIn;
    const tokens = yield* SessionTokens;
    const apps = yield* Apps;
    const accountSessions = yield* AccountSessions;
    const { sessionCookie, trustedProxies } = yield* PublicAddress;
    const cookies = yield* sessionCookies;
    const client = sessionClient(trustedProxies);

    return handlers.handleAll({
      mobileLogin: Effect.fnUntraced(function* ({ payload: { email, password } }) {
        const pair = yield* answer(signIn.withPassword(email, Redacted.make(password), yield* client));
        return { ok: true as const, ...pair };
      }),

      refresh: Effect.fnUntraced(function* ({ payload }) {
        return { ok: true as const, ...(yield* answer(tokens.exchange(payload.refreshToken))) };
      }),

      login: Effect.fnUntraced(function* ({ payload: { email, password } }) {
        if (sessionCookie === undefined) {
          return yield* new HttpsRequired({ requestId: yield* RequestId });
        }
        const { cookie, session } = yield* answer(signIn.forBrowser(email, Redacted.make(password), yield* client));
        yield* cookies.keep(sessionCookie, session.account, cookie);
        return { ok: true as const, data: sessionView(session, session.id) };
      }),

      providers: Effect.fnUntraced(function* ({ query: { email, ...page } }) {
        const { items, nextCursor } = yield* answer(apps.ofSignIn(email, page));
        if (sessionCookie === undefined) return { ok: true as const, data: [], nextCursor: null };
        const data = items.map((app) => ({ id: app.id, provider: app.provider, label: labelOf(app) }));
        return { ok: true as const, data, nextCursor };
      }),

      logout: Effect.fnUntraced(function* () {
        const { sessionId } = yield* CurrentPrincipal;
        yield* answer(
          Effect.catchTag(accountSessions.end(yield* currentAccount, sessionId), "SessionNotFound", () => Effect.void),
        );
        yield* cookies.forget;
        return { ok: true as const };
      }),

      session: Effect.fnUntraced(function* () {
        const { sessionId } = yield* CurrentPrincipal;
        const found = accountSessions.find(yield* currentAccount, sessionId);
        const own = yield* answer(
          Effect.catchTag(found, "SessionNotFound", () => new TokenRejected({ reason: "session_ended" })),
        );
        return { ok: true as const, data: sessionView(own, sessionId) };
      }),

      sessions: Effect.fnUntraced(function* ({ query }) {
        const { sessionId } = yield* CurrentPrincipal;
        const { items, nextCursor } = yield* answer(accountSessions.page(yield* currentAccount, query));
        return { ok: true as const, data: items.map((session) => sessionView(session, sessionId)), nextCursor };
      }),

      endSession: Effect.fnUntraced(function* ({ params: { id } }) {
        const { sessionId } = yield* CurrentPrincipal;
        yield* answer(accountSessions.end(yield* currentAccount, id));
        if (id === sessionId) yield* cookies.forget;
        return { ok: true as const, data: { id, deleted: true as const } };
      }),
    });
  }),
);
