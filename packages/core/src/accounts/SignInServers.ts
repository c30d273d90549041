import { Context, Effect, Layer } from "effect";
import type { AccountServers } from "../mail/index.ts";
import type { AccountId, StoreUnavailable } from "../shared/index.ts";
import { AccountSettings } from "./AccountSettings.ts";
import { CurrentServers } from "./CurrentServers.ts";
import { Discovery } from "./discovery/Discovery.ts";
import { domainOf, operatorServers } from "./operator-servers.ts";

/**
 * Where a person's password is checked: at the deployment's server, at the account's own, at a discovered one, or
 * nowhere, because the address has no account and may not sign in without one.
 */
export type SignInPlace =
  | { readonly _tag: "Deployment" }
  | { readonly _tag: "Account"; readonly servers: AccountServers }
  | { readonly _tag: "Discovered"; readonly servers: AccountServers }
  | { readonly _tag: "Nowhere" };

/** Decides at which servers a person signs in, who never names them (spec 10.3). */
export class SignInServers extends Context.Service<
  SignInServers,
  { readonly of: (account: AccountId) => Effect.Effect<SignInPlace, StoreUnavailable> }
>()("@postern/core/accounts/SignInServers") {
  static readonly layer = Layer.effect(
    SignInServers,
    Effect.gen(function* () {
      const settings = yield* AccountSettings;
      const current = yield* CurrentServers;
      const discovery = yield* Discovery;
      const mayDiscover = (account: AccountId) =>
        settings.signInDomains.includes("*") || settings.signInDomains.includes(domainOf(account));

      return SignInServers.of({
        of: Effect.fn("SignInServers.of")(function* (account): Effect.fn.Return<SignInPlace, StoreUnavailable> {
          if (settings.mode === "fixed" || operatorServers(settings, account) !== null) return { _tag: "Deployment" };
          const stored = yield* current.of(account);
          if (stored !== null) return { _tag: "Account", servers: stored };
          if (!mayDiscover(account)) return { _tag: "Nowhere" };
          const [best] = yield* discovery.of(account);
          return { _tag: "Discovered", servers: { imap: best.imap, smtp: best.smtp } };
        }),
      });
    }),
  );
}
