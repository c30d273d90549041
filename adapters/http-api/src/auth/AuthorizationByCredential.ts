import {
  Authorization,
  CurrentPrincipal,
  EndpointAuthorization,
  KeyAuthorization,
  NeededScopes,
  SessionAuthorization,
} from "@postern/api";
import { Audit, AuditTrail } from "@postern/core/audit";
import { AccountNotFound, Accounts, AccountStanding } from "@postern/core/accounts";
import { ActingAgent, includesScope } from "@postern/core/auth";
import { type AccountId, OpaqueIds } from "@postern/core/shared";
import { Context, Effect, Layer, Option, Redacted } from "effect";
import { HttpServerRequest, type HttpServerResponse } from "effect/http";
import { answer, refuse } from "../problems/answer.ts";
import { auditKey, type Operation } from "./audit-key.ts";
import {
  actingAgent,
  type Credential,
  credentialReader,
  principalOf,
  scopesOf,
  senderOf,
} from "./current-principal.ts";
import { accountRequired, insufficientScope } from "../problems/keys.ts";
import { tooManyRequests } from "../problems/requests.ts";
import { readStrictly } from "../edge/refusals.ts";
import { countOverShare, InFlight, KEY_SHARE } from "../edge/InFlight.ts";
import { RequestId } from "../wire/RequestId.ts";
import { RequestRecord } from "../wire/RequestRecord.ts";

type Response = HttpServerResponse.HttpServerResponse;

/**
 * Admits requests by their credential (spec 3.2, 3.5, 10.2): a session, a service key or the admin key. The credential
 * must have a scope of the operation and access to the account. Requests in flight are limited for each credential and
 * each account.
 */
export const AuthorizationByCredential = Layer.unwrap(
  Effect.gen(function* () {
    const readCredential = yield* credentialReader;
    const accounts = yield* Accounts;
    const standing = yield* AccountStanding;
    const ids = yield* OpaqueIds;
    const inFlight = yield* InFlight;
    const audit = yield* Audit;

    /** Counts the request until the last byte of its response, because downloads and streams last until then. */
    const enter = Effect.fnUntraced(function* (holder: string, share?: number) {
      if (inFlight.enter(holder, share)) {
        return yield* Effect.addFinalizer(() => Effect.sync(() => inFlight.leave(holder)));
      }
      yield* countOverShare;
      return yield* refuse(tooManyRequests(yield* RequestId));
    });

    const named = Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) => headers["postern-account"]);

    /** Returns the account of a session, which is the only account that the request may name. */
    const ownAccount = Effect.fnUntraced(function* (account: AccountId) {
      const name = yield* named;
      const isOther = name !== undefined && !Option.contains(accounts.idOf(name), account);
      return isOther ? yield* new AccountNotFound() : account;
    });

    /**
     * Returns the account of a session, or the account that a request with a key names; null if the request names no
     * account.
     */
    const accountOfEndpoints = Effect.fnUntraced(function* (credential: Credential) {
      if (credential._tag === "Session") {
        const account = yield* answer(ownAccount(credential.account));
        yield* answer(standing.checkNotPaused(account));
        return account;
      }
      const name = yield* named;
      if (name === undefined) return null;
      return yield* answer(accounts.use(name, credential._tag === "Admin" ? null : credential.key.accounts));
    });

    const accountOfMailbox = Effect.fnUntraced(function* (credential: Credential) {
      return (yield* accountOfEndpoints(credential)) ?? (yield* refuse(accountRequired(yield* RequestId)));
    });

    /** Returns the account of a session. The check of scopes has already refused a key without a session. */
    const accountOfSession = (credential: Credential) =>
      credential._tag === "Session" ? answer(ownAccount(credential.account)) : Effect.succeed(null);

    const admitted = <E, R>(accountOf: (credential: Credential) => Effect.Effect<AccountId | null, E, R>) =>
      Effect.fnUntraced(function* <Unhandled>(
        httpEffect: Effect.Effect<Response, Unhandled, CurrentPrincipal>,
        { credential: bearer, endpoint, group }: Operation & { readonly credential: Redacted.Redacted },
      ) {
        const credential = yield* readCredential(Redacted.value(bearer));
        const needed = Context.get(endpoint.annotations, NeededScopes);
        const record = yield* RequestRecord;
        if (credential._tag !== "Session") record.keyId = credential._tag === "Admin" ? "admin" : credential.key.id;
        if (!needed.some((scope) => includesScope(scopesOf(credential), scope))) {
          return yield* refuse(insufficientScope(yield* RequestId, needed));
        }
        const account = yield* accountOf(credential);
        if (account !== null) {
          record.account = account;
          yield* enter(account);
        } else if (credential._tag === "Service") {
          // A stream of all accounts that a key reaches belongs to no single account.
          yield* enter(`key ${credential.key.id}`, KEY_SHARE);
        }
        yield* readStrictly(endpoint);
        const handled = Effect.provideService(httpEffect, CurrentPrincipal, principalOf(credential, account));
        if (endpoint.method === "GET") return yield* handled;
        const acted = handled.pipe(
          Effect.provideService(AuditTrail, audit.trailOf(senderOf(credential))),
          Effect.provideService(ActingAgent, actingAgent(credential)),
        );
        return yield* credential._tag === "Session" ? acted : auditKey(acted, { endpoint, group }, ids.accountId);
      });

    return Layer.mergeAll(
      Layer.succeed(Authorization, { bearer: admitted(accountOfMailbox) }),
      Layer.succeed(EndpointAuthorization, { bearer: admitted(accountOfEndpoints) }),
      Layer.succeed(SessionAuthorization, { bearer: admitted(accountOfSession) }),
      Layer.succeed(KeyAuthorization, { bearer: admitted(() => Effect.succeed(null)) }),
    );
  }),
);
