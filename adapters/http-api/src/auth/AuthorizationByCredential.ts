import {
  Authorization,
  CurrentPrincipal,
  EndpointAuthorization,
  KeyAuthorization,
  NeededScopes,
  SessionAuthorization,
} from "@postern/api";
import { Accounts, AccountNotFound } from "@postern/core/accounts";
import { type AccountId, OpaqueIds } from "@postern/core/shared";
import { Context, Effect, Layer, Option, Redacted } from "effect";
import { HttpServerRequest, type HttpServerResponse } from "effect/http";
import { answer, refuse } from "../problems/answer.ts";
import { auditKey, type Operation } from "./audit-key.ts";
import { type Credential, principalOf, scopesOf } from "./credential.ts";
import { Credentials } from "./Credentials.ts";
import { accountRequired, insufficientScope } from "../problems/keys.ts";
import { tooManyRequests } from "../problems/requests.ts";
import { readStrictly } from "../edge/read-strictly.ts";
import { countOverShare } from "../edge/request-metrics.ts";
import { RequestId } from "../wire/RequestId.ts";
import { RequestRecord } from "../wire/RequestRecord.ts";
import { RequestShares } from "../edge/RequestShares.ts";

type Response = HttpServerResponse.HttpServerResponse;

/**
 * Admits requests by their credential (spec 3.2, 3.5, 10.2): a session, a service key or the admin key, if it has a scope
 * of the operation and reaches the account, while neither has more than its share in flight.
 */
export const AuthorizationByCredential = Layer.unwrap(
  Effect.gen(function* () {
    const credentials = yield* Credentials;
    const accounts = yield* Accounts;
    const ids = yield* OpaqueIds;
    const shares = yield* RequestShares;

    /** Counts the request until the last byte of its response, because downloads and streams last until then. */
    const enter = Effect.fnUntraced(function* (account: AccountId) {
      if (shares.enter(account)) return yield* Effect.addFinalizer(() => Effect.sync(() => shares.leave(account)));
      yield* countOverShare;
      return yield* refuse(tooManyRequests(yield* RequestId));
    });

    const named = Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) => headers["postern-account"]);

    /** The account of a session, which may be named but no other. */
    const ownAccount = Effect.fnUntraced(function* (account: AccountId) {
      const name = yield* named;
      const isOther = name !== undefined && !Option.contains(accounts.idOf(name), account);
      return isOther ? yield* new AccountNotFound() : account;
    });

    /** The account of a session or the one that a key names; null if it names none. */
    const accountOfEndpoints = Effect.fnUntraced(function* (credential: Credential) {
      if (credential._tag === "Session") {
        const account = yield* answer(ownAccount(credential.account));
        yield* answer(accounts.checkNotPaused(account));
        return account;
      }
      const name = yield* named;
      if (name === undefined) return null;
      return yield* answer(accounts.use(name, credential._tag === "Admin" ? null : credential.key.accounts));
    });

    const accountOfMailbox = Effect.fnUntraced(function* (credential: Credential) {
      return (yield* accountOfEndpoints(credential)) ?? (yield* refuse(accountRequired(yield* RequestId)));
    });

    /** A key without a session is refused by its scopes before this. */
    const accountOfSession = (credential: Credential) =>
      credential._tag === "Session" ? answer(ownAccount(credential.account)) : Effect.succeed(null);

    const admitted = <E, R>(accountOf: (credential: Credential) => Effect.Effect<AccountId | null, E, R>) =>
      Effect.fnUntraced(function* <Unhandled>(
        httpEffect: Effect.Effect<Response, Unhandled, CurrentPrincipal>,
        { credential: bearer, endpoint, group }: Operation & { readonly credential: Redacted.Redacted },
      ) {
        const credential = yield* credentials.of(Redacted.value(bearer));
        const needed = Context.get(endpoint.annotations, NeededScopes);
        const record = yield* RequestRecord;
        if (credential._tag !== "Session") record.keyId = credential._tag === "Admin" ? "admin" : credential.key.id;
        if (!scopesOf(credential).some((scope) => needed.includes(scope))) {
          return yield* refuse(insufficientScope(yield* RequestId, needed));
        }
        const account = yield* accountOf(credential);
        if (account !== null) {
          record.account = account;
          yield* enter(account);
        }
        yield* readStrictly(endpoint);
        const handled = Effect.provideService(httpEffect, CurrentPrincipal, principalOf(credential, account));
        return yield* credential._tag === "Session" ? handled : auditKey(handled, { endpoint, group }, ids.accountId);
      });

    return Layer.mergeAll(
      Layer.succeed(Authorization, { bearer: admitted(accountOfMailbox) }),
      Layer.succeed(EndpointAuthorization, { bearer: admitted(accountOfEndpoints) }),
      Layer.succeed(SessionAuthorization, { bearer: admitted(accountOfSession) }),
      Layer.succeed(KeyAuthorization, { bearer: admitted(() => Effect.succeed(null)) }),
    );
  }),
).pipe(Layer.provide(Credentials.layer));
