import { CurrentPrincipal } from "@postern/api";
import { Accounts } from "@postern/core/accounts";
import { AgentGrants } from "@postern/core/assistants";
import { Authentication, KeyAuthentication } from "@postern/core/auth";
import { Effect, Option } from "effect";
import { HttpServerRequest } from "effect/http";
import { PublicAddress } from "../edge/PublicAddress.ts";
import { keyClient } from "../wire/request-client.ts";
import { currentAccount } from "./current-principal.ts";
import { RequestAuthority } from "./RequestAuthority.ts";

/**
 * Returns a function that makes the permission check of the current request. The check is an effect that returns
 * whether the credential still has this scope for the account; it fails while the application of the key is suspended.
 * Long answers repeat the check.
 */
export const permissionNow = Effect.gen(function* () {
  const authentication = yield* Authentication;
  const keys = yield* KeyAuthentication;
  const grants = yield* AgentGrants;
  const accounts = yield* Accounts;
  const { trustedProxies } = yield* PublicAddress;

  return Effect.fnUntraced(function* (scope: "events" | "mail:read") {
    const { key, sessionId } = yield* CurrentPrincipal;
    const account = yield* currentAccount;
    const authority = yield* RequestAuthority;
    const request = yield* HttpServerRequest.HttpServerRequest;

    const ofKey = Effect.fnUntraced(function* (id: string) {
      const now = yield* keys.recheck(id, scope, keyClient(request, trustedProxies));
      if (Option.isNone(now)) return false;
      const found = Effect.as(accounts.find(account, now.value.accounts), true);
      return yield* Effect.catchTag(found, ["AccountNotFound", "InputInvalid"], () => Effect.succeed(false));
    });

    return Effect.suspend(() => {
      if (key?.kind === "grant") return Effect.map(grants.recheck(key.id), Option.isSome);
      if (key !== null) return ofKey(key.id);
      if (authority === null) return authentication.isLive(account, sessionId);
      const isAsserted = Effect.map(authority(request), (current) => current === account);
      return Effect.tap(isAsserted, (isSame) => (isSame ? authentication.byHost(account) : Effect.void));
    });
  });
});
