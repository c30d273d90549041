import { Accounts } from "@postern/core/accounts";
import { COOKIE_LIFETIME, Fingerprints } from "@postern/core/auth";
import type { AccountId } from "@postern/core/shared";
import { Duration, Effect, Option } from "effect";
import { HttpEffect, HttpServerRequest } from "effect/http";
import { PublicAddress } from "../edge/PublicAddress.ts";
import { accountCookie, type SessionCookie, withCookie } from "../edge/session-cookie.ts";

type Request = HttpServerRequest.HttpServerRequest;

/**
 * Reads and writes the session cookies of a browser (spec 3.5): one for a browser with one account, and one for each
 * account that requests name by `Postern-Account`.
 */
export const sessionCookies = Effect.gen(function* () {
  const accounts = yield* Accounts;
  const fingerprints = yield* Fingerprints;
  const { sessionCookie } = yield* PublicAddress;
  const markedCookie = (cookie: SessionCookie, account: AccountId) =>
    accountCookie(cookie, fingerprints.ofAccount(account));

  /** Returns the cookies that may have the session of a request, the one of the named account first. */
  const cookiesOf = ({ headers }: Request): ReadonlyArray<SessionCookie> => {
    if (sessionCookie === undefined) return [];
    const named = Option.flatMap(Option.fromNullishOr(headers["postern-account"]), accounts.idOf);
    return [...Option.toArray(Option.map(named, (account) => markedCookie(sessionCookie, account))), sessionCookie];
  };

  const send = (cookie: SessionCookie, secret: string, lifetime: Duration.Duration) =>
    HttpEffect.appendPreResponseHandler((_, response) =>
      Effect.succeed(withCookie(response, cookie, secret, Duration.toSeconds(lifetime))),
    );

  return {
    /** Returns the secret of the session that a request uses. */
    secretOf: (request: Request): string | undefined =>
      request.headers["cookie"] === undefined
        ? undefined
        : cookiesOf(request)
            .map(({ name }) => request.cookies[name])
            .find((secret) => secret !== undefined),

    /**
     * Stores a session: in the cookie of its account if the request named an account, otherwise in the cookie for all
     * requests.
     */
    keep: Effect.fnUntraced(function* (cookie: SessionCookie, account: AccountId, secret: string) {
      const { headers } = yield* HttpServerRequest.HttpServerRequest;
      const isNamed = headers["postern-account"] !== undefined;
      yield* send(isNamed ? markedCookie(cookie, account) : cookie, secret, COOKIE_LIFETIME);
    }),

    /** Deletes the cookies that have the session of this request. */
    forget: Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest;
      const [used, ...others] = cookiesOf(request).filter(({ name }) => request.cookies[name] !== undefined);
      const secret = used === undefined ? undefined : request.cookies[used.name];
      const same = others.filter(({ name }) => request.cookies[name] === secret);
      for (const cookie of used === undefined ? [] : [used, ...same]) yield* send(cookie, "", Duration.zero);
    }),
  };
});
