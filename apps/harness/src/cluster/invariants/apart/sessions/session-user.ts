import { AccountSessions, Authentication, CredentialVault, SessionTokens } from "@postern/core/auth";
import { SignIn } from "@postern/core/lifecycle";
import type { AccountId } from "@postern/core/shared";
import { Context, Effect, Option, Redacted } from "effect";
import type { Cluster } from "../../../Cluster.ts";
import { PASSWORD, type Visit } from "../../../Visit.ts";

/** Returns a user of sessions. */
export const sessionsOf = (visit: Visit, cluster: Cluster) => ({
  visit,
  cluster,
  isKept: (account: AccountId) =>
    Option.isSome(cluster.ask((ports) => Context.get(ports, CredentialVault).find(account))),
  uses: (token: string) =>
    visit.tagOf("use a token", (services) => Context.get(services, Authentication).byAccessToken(token)),
  browses: (cookie: string) =>
    visit.tagOf("use a cookie", (services) => Context.get(services, Authentication).byCookie(cookie)),
  refresh: (token: string) =>
    Effect.result(visit.ask("refresh", (services) => Context.get(services, SessionTokens).exchange(token))),
  browse: (account: AccountId) =>
    Effect.map(
      visit.ask("sign in a browser", (services) =>
        Context.get(services, SignIn).forBrowser(account, Redacted.make(PASSWORD), CLIENT),
      ),
      ({ cookie, session: { id } }) => ({ cookie, id }),
    ),
  list: (account: AccountId) =>
    Effect.map(
      visit.ask("sessions", (services) => Context.get(services, AccountSessions).page(account, {})),
      ({ items }) => items,
    ),
  end: (account: AccountId, id: string) =>
    visit.tagOf("end", (services) => Context.get(services, AccountSessions).end(account, id)),
});
export type SessionUser = ReturnType<typeof sessionsOf>;

/** The client of each browser. */
export const CLIENT = { network: "192.0.2.40", userAgent: "a browser" };
