import { Effect, Option } from "effect";
import { type AccountServers, type MailServer } from "../mail/index.ts";
import { isSamePlace } from "../mail/neighbours.ts";
import type { AccountId, StoreUnavailable } from "../shared/index.ts";
import type { Account } from "./Account.ts";
import { AccountSettings } from "./AccountSettings.ts";
import { Discovery } from "./discovery/Discovery.ts";
import { CredentialRequired, ServersFixed } from "./errors.ts";
import { domainOf, operatorServers, serversOf } from "./operator-servers.ts";
import { AccountDirectory } from "./ports/AccountDirectory.ts";

/** The servers that a request names for an account; null if Postern should find them. */
export interface GivenServers {
  readonly imap: MailServer | null;
  readonly smtp: MailServer | null;
}

/** The servers that may receive the access tokens of one OAuth2 app for one account. */
export interface TokenServers {
  /** The id of the app. */
  readonly app: string;
  /** The servers of the app, of its provider or of the owner of a shared mailbox; null if none of the three has servers. */
  readonly named: AccountServers | null;
  /** Whether discovered servers may receive the tokens if `named` is null. */
  readonly mayDiscover: boolean;
}

/**
 * The server that checks a person's password: the deployment's, the account's own, or a discovered one. `Nowhere`: the
 * address has no account and may not sign in without one.
 */
export type SignInPlace =
  | { readonly _tag: "Deployment" }
  | { readonly _tag: "Account"; readonly servers: AccountServers }
  | { readonly _tag: "Discovered"; readonly servers: AccountServers }
  | { readonly _tag: "Nowhere" };

/**
 * The ports that decide which servers receive a credential (spec 10.3). A password in a request goes to the given,
 * known or discovered servers. A token goes to the servers of its app. A stored credential goes only to servers that
 * accepted it before.
 */
export const serverCandidates = Effect.all({
  settings: AccountSettings,
  directory: AccountDirectory,
  discovery: Discovery,
});
type ServerCandidates = Effect.Success<typeof serverCandidates>;

/** Returns the server at which a person signs in. The person cannot choose it. */
export const placeForSignIn = Effect.fn("placeForSignIn")(function* (
  { settings, directory, discovery }: ServerCandidates,
  account: AccountId,
): Effect.fn.Return<SignInPlace, StoreUnavailable> {
  if (settings.mode === "fixed" || operatorServers(settings, account) !== null) return { _tag: "Deployment" };
  const stored = serversOf(settings, account, Option.getOrNull(yield* directory.find(account)));
  if (stored !== null) return { _tag: "Account", servers: stored };
  const mayDiscover = ["*", domainOf(account)].some((domain) => settings.signInDomains.includes(domain));
  if (!mayDiscover) return { _tag: "Nowhere" };
  const [{ imap, smtp }] = yield* discovery.of(account);
  return { _tag: "Discovered", servers: { imap, smtp } };
});

/** Returns the servers to try with the password of a request, the best first. */
export const serversForPassword = Effect.fnUntraced(function* (
  on: ServerCandidates,
  account: AccountId,
  given: GivenServers,
  stored: Account | null,
) {
  yield* checkFree(on, account, given);
  const { imap, smtp } = given;
  if (imap !== null && smtp !== null) return [{ imap, smtp }] as const;
  const known = serversOf(on.settings, account, stored);
  const [best, ...others] = known === null ? yield* on.discovery.of(account) : [known];
  return [complete(given, best), ...others.map((servers) => complete(given, servers))] as const;
});

/** Returns the servers to try with a token, the best first. Servers in the request can only narrow this list. */
export const serversForToken = Effect.fnUntraced(function* (
  on: ServerCandidates,
  account: AccountId,
  given: GivenServers,
  stored: Account | null,
  { app, named, mayDiscover }: TokenServers,
) {
  yield* checkFree(on, account, given);
  const operators = operatorServers(on.settings, account);
  if (operators !== null) return [operators];
  // These servers already accept tokens of the app for this account.
  const own = stored !== null && stored.provider === app ? stored.servers : null;
  const others = named === null ? (mayDiscover ? yield* on.discovery.of(account) : []) : [named];
  return [...(own === null ? [] : [own]), ...others]
    .map((servers): readonly [AccountServers, AccountServers] => [servers, complete(given, servers)])
    .filter(([servers, asGiven]) => haveSamePlaces(servers, asGiven))
    .map(([, asGiven]) => asGiven);
});

/** Returns the given servers if they have already accepted the account's stored credential. */
export const serversForStored = Effect.fnUntraced(function* (
  on: ServerCandidates,
  account: Account,
  given: GivenServers,
) {
  yield* checkFree(on, account.id, given);
  const known = serversOf(on.settings, account.id, account);
  const asGiven = known === null ? null : complete(given, known);
  return known !== null && asGiven !== null && haveSamePlaces(known, asGiven)
    ? asGiven
    : yield* new CredentialRequired();
});

const checkFree = Effect.fnUntraced(function* (
  { settings }: ServerCandidates,
  account: AccountId,
  { imap, smtp }: GivenServers,
) {
  const isFixed = settings.mode === "fixed" || operatorServers(settings, account) !== null;
  if (isFixed && (imap !== null || smtp !== null)) return yield* new ServersFixed();
});

const complete = ({ imap, smtp }: GivenServers, servers: AccountServers): AccountServers => ({
  imap: imap ?? servers.imap,
  smtp: smtp ?? servers.smtp,
});

const haveSamePlaces = (one: AccountServers, other: AccountServers): boolean =>
  isSamePlace(one.imap, other.imap) && isSamePlace(one.smtp, other.smtp);
