import { type Account, Accounts, stateOf } from "@postern/core/accounts";
import { AccountChanges, AccountCreation } from "@postern/core/lifecycle";
import { AccountId } from "@postern/core/shared";
import { Context, Effect, Redacted } from "effect";
import type { Cluster } from "../../../Cluster.ts";
import { eventsOf } from "../../../events-of.ts";
import { PASSWORD, type Visit } from "../../../Visit.ts";

type Patch = Parameters<AccountChanges["Service"]["change"]>[1];
type Search = Parameters<Accounts["Service"]["page"]>[0];
type Reach = ReadonlyArray<string> | null;

/** Returns an application that manages accounts. */
export const managerOf = (visit: Visit, cluster: Cluster) => {
  const find = (email: string, reach: Reach = null): Effect.Effect<Account, unknown> =>
    visit.ask("find", (services) => Context.get(services, Accounts).find(email, reach));
  return {
    visit,
    cluster,
    find,
    /** Creates a managed account; returns the tag of the error, or `Answered`. */
    create: (
      email: string,
      more: { readonly name?: string; readonly tags?: ReadonlyArray<string>; readonly password?: string } = {},
      reach: Reach = null,
    ) => {
      const { name = null, tags = [], password = PASSWORD } = more;
      const secret = { _tag: "Password" as const, password: Redacted.make(password) };
      return visit.tagOf(`create ${email}`, (services) =>
        Context.get(services, AccountCreation).create({ email, name, secret, tags, imap: null, smtp: null }, reach),
      );
    },
    change: (email: string, patch: Patch, reach: Reach = null) =>
      visit.tagOf(`change ${email}`, (services) => Context.get(services, AccountChanges).change(email, patch, reach)),
    verify: (email: string) =>
      visit.tagOf(`verify ${email}`, (services) => Context.get(services, AccountChanges).verify(email, null)),
    use: (email: string, reach: Reach = null) =>
      visit.tagOf(`use ${email}`, (services) => Context.get(services, Accounts).use(email, reach)),
    state: (email: string) => Effect.map(find(email), stateOf),
    page: (search: Search, reach: Reach = null) =>
      Effect.map(
        visit.ask("list", (services) => Context.get(services, Accounts).page(search, reach)),
        ({ accounts, nextCursor }) => ({ ids: accounts.map(({ account }) => String(account.id)), nextCursor }),
      ),
    /** Returns the types of the account's events that begin with `account.`. */
    told: (email: string): ReadonlyArray<string> =>
      eventsOf(cluster, AccountId(email)).flatMap(({ type }) => (type.startsWith("account.") ? [type] : [])),
  };
};
export type Manager = ReturnType<typeof managerOf>;
