import { Context, Effect, Layer, Option } from "effect";
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
 * The server that checks a person's password: the deployment's, the account's own, or a discovered server. `Nowhere`:
 * the address has no account and may not sign in without one.
 */
export type SignInPlace =
  | { readonly _tag: "Deployment" }
  | { readonly _tag: "Account"; readonly servers: AccountServers }
  | { readonly _tag: "Discovered"; readonly servers: AccountServers }
  | { readonly _tag: "Nowhere" };

/**
 * Decides which servers see a credential (spec 10.3): a password in a request goes to the given, known or discovered
 * servers; a token goes to the servers of its app; a stored credential goes only to servers that accepted it before.
 */
export class ServerCandidates extends Context.Service<
  ServerCandidates,
  {
    /** Returns the server at which a person signs in. The person cannot choose it. */
    readonly forSignIn: (account: AccountId) => Effect.Effect<SignInPlace, StoreUnavailable>;
    /** Returns the servers to try with the password of a request, the best first. */
    readonly forPassword: (
      account: AccountId,
      given: GivenServers,
      stored: Account | null,
    ) => Effect.Effect<readonly [AccountServers, ...ReadonlyArray<AccountServers>], ServersFixed>;
    /** Returns the servers to try with a token, the best first. Servers in the request narrow this list; they never add to it. */
    readonly forToken: (
      account: AccountId,
      given: GivenServers,
      stored: Account | null,
      tokens: TokenServers,
    ) => Effect.Effect<ReadonlyArray<AccountServers>, ServersFixed>;
    /** Returns the given servers if they have already accepted the account's stored credential. */
    readonly forStored: (
      account: Account,
      given: GivenServers,
    ) => Effect.Effect<AccountServers, ServersFixed | CredentialRequired>;
  }
>()("@postern/core/accounts/ServerCandidates") {
  static readonly layer = Layer.effect(
    ServerCandidates,
    Effect.gen(function* () {
      const settings = yield* AccountSettings;
      const directory = yield* AccountDirectory;
      const discovery = yield* Discovery;

      const checkFree = Effect.fnUntraced(function* (account: AccountId, { imap, smtp }: GivenServers) {
        const isFixed = settings.mode === "fixed" || operatorServers(settings, account) !== null;
        if (isFixed && (imap !== null || smtp !== null)) return yield* new ServersFixed();
      });

      const forSignIn = Effect.fn("ServerCandidates.forSignIn")(function* (
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

      const forPassword = Effect.fnUntraced(function* (
        account: AccountId,
        given: GivenServers,
        stored: Account | null,
      ) {
        yield* checkFree(account, given);
        const { imap, smtp } = given;
        if (imap !== null && smtp !== null) return [{ imap, smtp }] as const;
        const known = serversOf(settings, account, stored);
        const [best, ...others] = known === null ? yield* discovery.of(account) : [known];
        return [complete(given, best), ...others.map((servers) => complete(given, servers))] as const;
      });

      const forToken = Effect.fnUntraced(function* (
        account: AccountId,
        given: GivenServers,
        stored: Account | null,
        { app, named, mayDiscover }: TokenServers,
      ) {
        yield* checkFree(account, given);
        const operators = operatorServers(settings, account);
        if (operators !== null) return [operators];
        // These servers already accept tokens of the app for this account.
        const own = stored !== null && stored.provider === app ? stored.servers : null;
        const others = named === null ? (mayDiscover ? yield* discovery.of(account) : []) : [named];
        return [...(own === null ? [] : [own]), ...others]
          .map((servers): readonly [AccountServers, AccountServers] => [servers, complete(given, servers)])
          .filter(([servers, asGiven]) => haveSamePlaces(servers, asGiven))
          .map(([, asGiven]) => asGiven);
      });

      const forStored = Effect.fnUntraced(function* (account: Account, given: GivenServers) {
        yield* checkFree(account.id, given);
        const known = serversOf(settings, account.id, account);
        const asGiven = known === null ? null : complete(given, known);
        return known !== null && asGiven !== null && haveSamePlaces(known, asGiven)
          ? asGiven
          : yield* new CredentialRequired();
      });

      return ServerCandidates.of({ forSignIn, forPassword, forToken, forStored });
    }),
  );
}

const complete = ({ imap, smtp }: GivenServers, servers: AccountServers): AccountServers => ({
  imap: imap ?? servers.imap,
  smtp: smtp ?? servers.smtp,
});

const haveSamePlaces = (one: AccountServers, other: AccountServers): boolean =>
  isSamePlace(one.imap, other.imap) && isSamePlace(one.smtp, other.smtp);
