import { ADMIN_SCOPES, CurrentPrincipal, type NeededScope, SESSION_SCOPES } from "@postern/api";
import {
  type Agent,
  agentOf,
  Authentication,
  includesScope,
  KeyAuthentication,
  type KeyHolder,
  TokenRejected,
} from "@postern/core/auth";
import { sendingKeyOf } from "@postern/core/send";
import { AccountId } from "@postern/core/shared";
import { Effect, Option } from "effect";
import { HttpServerRequest } from "effect/http";
import { answer, refuse } from "../problems/answer.ts";
import { keyMisplaced } from "../problems/auth.ts";
import { insufficientScope } from "../problems/keys.ts";
import { keyClient } from "../wire/request-client.ts";
import { PublicAddress } from "../edge/PublicAddress.ts";
import { OPERATOR, RequestAuthority } from "./RequestAuthority.ts";
import { RequestId } from "../wire/RequestId.ts";
import { sessionCookies } from "./session-cookies.ts";

/** The accepted credential of a request. A session that the host of an embedded service asserts has no id. */
export type Credential =
  | { readonly _tag: "Session"; readonly account: AccountId; readonly sessionId: string }
  | KeyHolder;

/** Returns the scopes of a credential. */
export const scopesOf = (credential: Credential): ReadonlyArray<NeededScope> => {
  if (credential._tag === "Session") return SESSION_SCOPES;
  return credential._tag === "Admin" ? ADMIN_SCOPES : credential.key.scopes;
};

/** Returns the principal of a request, with or without an account. */
export const principalOf = (credential: Credential, account: AccountId | null): CurrentPrincipal["Service"] => ({
  account,
  scopes: scopesOf(credential),
  sessionId: credential._tag === "Session" ? credential.sessionId : "",
  isAdmin: credential._tag === "Admin",
  key: credential._tag === "Service" ? credential.key : null,
});

/** Returns the agent for which a credential was issued; null without an agent. */
export const actingAgent = (credential: Credential): Agent | null =>
  credential._tag === "Service" ? agentOf(credential.key) : null;

/** Returns the sender of a request for the audit. */
export const senderOf = (credential: Credential) => {
  if (credential._tag === "Service") return { key: credential.key.id, application: credential.key.application };
  return { key: credential._tag === "Admin" ? "admin" : null, application: null };
};

/**
 * Returns a function that recognizes the credential of the current request (spec 3.2, 3.5, 10.2) by its bearer token,
 * which is empty for a browser's session.
 */
export const credentialReader = Effect.gen(function* () {
  const authentication = yield* Authentication;
  const keys = yield* KeyAuthentication;
  const { trustedProxies } = yield* PublicAddress;
  const cookies = yield* sessionCookies;

  const sessionOf = (bearer: string, request: HttpServerRequest.HttpServerRequest) => {
    const cookie = bearer === "" ? cookies.secretOf(request) : undefined;
    return cookie === undefined ? authentication.byAccessToken(bearer) : authentication.byCookie(cookie);
  };

  const of = Effect.fnUntraced(function* (bearer: string) {
    const request = yield* HttpServerRequest.HttpServerRequest;
    const authority = yield* RequestAuthority;
    const asserted = authority === null ? undefined : yield* authority(request);
    if (asserted === OPERATOR) return { _tag: "Admin" as const };
    if (asserted !== undefined) {
      yield* authentication.byHost(asserted);
      return { _tag: "Session" as const, account: asserted, sessionId: "" };
    }
    const holder = yield* keys.holderOf(bearer, () => keyClient(request, trustedProxies));
    if (Option.isSome(holder)) return holder.value;
    if (authority !== null) return yield* new TokenRejected({ reason: "session_ended" });
    const { account, id } = yield* sessionOf(bearer, request);
    return { _tag: "Session" as const, account, sessionId: id };
  });

  /** Refuses a request with a key in the wrong place, and names the right place, because a sign-in would not help. */
  const misplaced = Effect.fnUntraced(function* () {
    const { headers } = yield* HttpServerRequest.HttpServerRequest;
    const shown = headers["authorization"];
    const isShown = headers["x-api-key"] !== undefined || (shown !== undefined && !/^bearer(?: |$)/i.test(shown));
    return isShown ? yield* refuse(keyMisplaced(yield* RequestId)) : undefined;
  });

  return (bearer: string) => Effect.tapErrorTag(answer(of(bearer)), "unauthorized", misplaced);
});

/** Returns the account of the current request; a defect in an operation without an account. */
export const currentAccount = Effect.flatMap(CurrentPrincipal, ({ account }) =>
  account === null
    ? Effect.die(new Error("the operation is not about an account"))
    : Effect.succeed(AccountId(account)),
);

/** Refuses the request unless its credential has this scope. */
export const demandScope = Effect.fnUntraced(function* (needed: NeededScope) {
  const { scopes } = yield* CurrentPrincipal;
  if (!includesScope(scopes, needed)) return yield* refuse(insufficientScope(yield* RequestId, [needed]));
});

/** Returns the service key of this request, with the permission to send; null for a person and for the operator. */
export const currentKey = Effect.map(CurrentPrincipal, ({ key, scopes }) =>
  key === null ? null : sendingKeyOf({ ...key, scopes }),
);
