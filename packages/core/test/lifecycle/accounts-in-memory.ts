import { Effect, Layer, Option, Redacted } from "effect";
import {
  type Account,
  AccountDirectory,
  Accounts,
  AccountSettings,
  Discovery,
  HostAdmission,
  newAccount,
  type ProbeResult,
  ServerProbe,
} from "../../src/accounts/index.ts";
import { operatorCandidate } from "../../src/accounts/discovery/rank-candidates.ts";
import {
  AccountErasures,
  CredentialRelease,
  CredentialVault,
  type FoundCredential,
  LoginRefused,
  MailLogin,
  secretOf,
  ServiceKeys,
  type Session,
  Sessions,
  SessionTokens,
  Tokens,
} from "../../src/auth/index.ts";
import { LoginThrottle } from "../../src/auth/neighbours.ts";
import { Audit } from "../../src/audit/index.ts";
import { ParseJobs } from "../../src/bounces/index.ts";
import { Creations } from "../../src/creations/index.ts";
import { EventPublisher } from "../../src/events/index.ts";
import { FolderRecords, FolderRemovals } from "../../src/folders/index.ts";
import { type AccountServers, MailboxCredentialsRejected, type MailServer } from "../../src/mail/index.ts";
import {
  AccessTokens,
  Apps,
  appOf,
  AuthorizationServer,
  type Grant,
  Grants,
  OAuthSettings,
} from "../../src/oauth/index.ts";
import { CredentialRefusals, type OfferedGrant } from "../../src/oauth/neighbours.ts";
import { OutgoingJournal, Uploads } from "../../src/send/index.ts";
import { AccountId } from "../../src/shared/index.ts";
import { AllAccountData } from "../../src/shared/neighbours.ts";
import { Folders } from "../../src/folders/index.ts";
import { AccountWatches, FollowedMailboxes, InboxWatch, MovedMessages } from "../../src/watch/index.ts";
import { WatchStarter } from "../../src/watch/neighbours.ts";
import { DeliveryQueue, Endpoints } from "../../src/webhooks/index.ts";
import { noTransaction, numberedIds, readableHashes, readableIds } from "../doubles.ts";

export const NOW = 1_900_000_000_000;
export const ME = AccountId("me@x.test");
export const PASSWORD = Redacted.make("right");
export const PRESENT = { uidValidity: 7, uidNext: 10, highestModSeq: null };

export const server = (host: string, more: Partial<MailServer> = {}): MailServer => ({
  host,
  port: 993,
  tls: "implicit",
  origin: "account",
  ...more,
});
export const at = (host: string): AccountServers => ({ imap: server(host), smtp: server(host, { port: 465 }) });

const ofApp = { host: "app.test", port: 993, security: "tls" } as const;
const read = appOf({ id: "corp", provider: "google", clientId: "c", imap: ofApp, smtp: ofApp });
if ("faults" in read) throw new Error("the app is at fault");
export const APP = read.app;

export const offered = (subject = "1", token = "right"): OfferedGrant => ({
  app: APP,
  token: Redacted.make(token),
  issued: {
    accessToken: Redacted.make(token),
    expiresIn: 3600,
    refreshToken: Redacted.make("refresh"),
    identity: { issuer: "https://id.test", subject, address: ME } as never,
  },
  askedAt: NOW,
  delegateOf: null,
});

/** Accounts with their credentials, and a record of all other actions, in order. */
export const accountsInMemory = (mode: "any" | "fixed" = "any") => {
  const state = {
    accounts: new Map<AccountId, Account>(),
    vault: new Map<AccountId, FoundCredential>(),
    grants: new Map<AccountId, Grant>(),
    watched: new Set<AccountId>(),
    /** The actions other than changes of the tables above. */
    did: Array<string>(),
    /** The hosts that received a secret, each with the secret. */
    shown: Array<string>(),
    /** The answers of hosts; other hosts accept `right`. */
    answers: new Map<string, ProbeResult>(),
    isReached: false,
    /** The accounts that are removed, but not yet erased. */
    removed: new Set<AccountId>(),
    erasing: Effect.void as Effect.Effect<void>,
    found: ["found.test"],
    renews: false,
    /** Whether another request has lifted the refusal of the credential. */
    isAcceptedAlready: false,
    /** The answer of the mail server to a person who signs in; by default it accepts `right`. */
    signIn: undefined as ReturnType<MailLogin["Service"]["verify"]> | undefined,
    sessions: Array<Session>(),
    delegates: Array<AccountId>(),
    /** Runs while a server is being contacted. */
    whileAsked: (): unknown => undefined,
    /** Runs while an account is being stored. */
    whileStored: (): unknown => undefined,
    token: "right",
  };
  const note = (what: string) => Effect.sync(() => void state.did.push(what));
  const accepted = (imap: boolean): ProbeResult => ({
    _tag: "Accepted",
    capabilities: imap ? ["IDLE"] : [],
    present: imap ? PRESENT : null,
  });
  const probe =
    (kind: "imap" | "smtp"): ServerProbe["Service"]["imap"] =>
    ({ host }, credential) =>
      Effect.sync(() => {
        const secret = Redacted.value(secretOf(credential));
        state.shown.push(`${kind} ${host} ${secret}`);
        state.whileAsked();
        const fixed = state.answers.get(`${kind} ${host}`) ?? state.answers.get(host);
        if (fixed !== undefined) return fixed;
        return secret === "right" ? accepted(kind === "imap") : { _tag: "Failed", cause: "auth_refused" };
      });
  const versionOf = (account: AccountId) => (state.vault.get(account)?.version ?? 0) + 1;
  const find = <K, V>(map: ReadonlyMap<K, V>, key: K) => Effect.sync(() => Option.fromUndefinedOr(map.get(key)));

  const ports = Layer.mergeAll(
    Layer.succeed(AccountSettings, {
      mode,
      servers: at("home.test"),
      domains: ["home.test"],
      signInDomains: ["new.test"],
    }),
    Layer.mock(AccountDirectory, {
      find: (account) => find(state.accounts, account),
      insert: (account) =>
        Effect.sync(() => {
          state.whileStored();
          return !state.accounts.has(account.id) && state.accounts.set(account.id, account) !== undefined;
        }),
      change: (account, decide) =>
        Effect.sync(() => {
          const known = state.accounts.get(account);
          if (known === undefined) return Option.none();
          const [told, next] = decide(known);
          state.accounts.set(account, next);
          return Option.some(told);
        }),
      countByState: Effect.succeed({ active: 0, needs_reauth: 0, paused: 0, unreachable: 0 }),
    }),
    Layer.mock(CredentialVault, {
      find: (account) => find(state.vault, account),
      keep: (account, credential) =>
        Effect.sync(
          () => void state.vault.set(account, { ...credential, version: versionOf(account), rejectedAt: null }),
        ),
      version: (account) =>
        Effect.suspend(() => {
          const kept = state.vault.get(account);
          return kept === undefined || kept.rejectedAt !== null
            ? Effect.fail(new MailboxCredentialsRejected())
            : Effect.succeed(kept.version);
        }),
      markAccepted: (account, version) =>
        Effect.as(note(`accepted ${version} of ${account}`), !state.isAcceptedAlready),
      markRejected: (account, version) => note(`rejected ${version} of ${account}`),
      takeRejection: (account) => Effect.as(note(`refusal of ${account} reported`), false),
    }),
    Layer.mock(Grants, {
      find: (account) => find(state.grants, account),
      keep: (grant) =>
        Effect.sync(() => {
          state.grants.set(grant.account, grant);
          const { account, username } = grant;
          state.vault.set(account, { _tag: "Grant", username, version: versionOf(account), rejectedAt: null });
        }),
      listDelegates: () => Effect.sync(() => state.delegates),
    }),
    Layer.succeed(ServerProbe, { imap: probe("imap"), smtp: probe("smtp") }),
    Layer.succeed(MailLogin, {
      verify: (_, credential, imap) =>
        Effect.suspend(() => {
          const secret = Redacted.value(secretOf(credential));
          state.shown.push(`sign-in ${imap?.host ?? "of the deployment"} ${secret}`);
          return state.signIn ?? (secret === "right" ? Effect.succeed(PRESENT) : Effect.fail(new LoginRefused()));
        }),
    }),
    Layer.mock(Discovery, {
      of: () =>
        Effect.sync(() => {
          const [best = "found.test", ...others] = state.found;
          return [operatorCandidate(at(best)), ...others.map((host) => operatorCandidate(at(host)))];
        }),
    }),
    HostAdmission.unlimited,
    Layer.mock(EventPublisher, {
      publishNow: (account: AccountId, type: string, data: Partial<AccountServers>) =>
        note([type, account, data.imap?.host, data.smtp?.port].filter(Boolean).join(" ")),
    } as never),
    Layer.mock(OutgoingJournal, {
      changeWaiting: (whose: { readonly account?: AccountId }) =>
        Effect.as(note(`mail of ${whose.account} resumed`), []),
    } as never),
    Layer.mock(AccountWatches, {
      isOursAlone: false,
      changed: Effect.never,
      add: (account, until) =>
        Effect.sync(() => {
          state.did.push(`watched for ${until - NOW}`);
          return !state.watched.has(account) && state.watched.add(account).size > 0;
        }),
      selectWatched: () => Effect.sync(() => state.watched),
      extend: (account) => Effect.sync(() => state.watched.has(account)),
      erase: (account) => Effect.sync(() => void (state.watched.delete(account), state.did.push("watch erased"))),
    }),
    Layer.mock(Folders, {}),
    Layer.mock(FollowedMailboxes, {
      begin: (_, folder, cursor) => note(`${folder} begins at ${cursor.uidNext}`),
      moveTo: (_, folder, cursor) => note(`${folder} moves to ${cursor.uidNext}`),
      endAll: () => note("other folders end"),
    }),
    Layer.mock(InboxWatch, {}),
    Layer.mock(WatchStarter, { begin: () => note("watch begun") }),
    Layer.mock(Endpoints, {
      isReached: () => Effect.sync(() => state.isReached),
      listReachEntries: Effect.succeed([]),
    }),
    Layer.mock(FolderRecords, { erase: () => note("folders erased") }),
    Layer.mock(FolderRemovals, { erase: () => note("removals erased"), changed: Effect.never } as never),
    Layer.mock(MovedMessages, { erase: () => Effect.as(note("moves erased"), false) }),
    Layer.mock(ParseJobs, { erase: () => note("reports erased"), changed: Effect.never } as never),
    Layer.mock(CredentialRefusals, { announce: Effect.void, awaitRecorded: Effect.never }),
    Layer.mock(AccessTokens, {
      of: () => Effect.sync(() => Redacted.make(state.token)),
      renew: () =>
        Effect.sync(() => {
          state.token = "right";
          return state.renews;
        }),
    }),
    Layer.mock(Apps, { list: Effect.succeed([]), find: () => Effect.succeedSome(APP), get: () => Effect.succeed(APP) }),
    Layer.mock(AuthorizationServer, { refresh: () => Effect.succeed(offered().issued!) }),
    Layer.succeed(OAuthSettings, { apps: [], baseUrl: "", operatorName: null }),
    Layer.mock(Creations, {
      once: (key, _, create, again) =>
        key === undefined
          ? create({ begin: () => Effect.void, complete: (id) => note(`created ${id}`) })
          : Effect.map(again(ME, { begin: () => Effect.void, complete: () => Effect.void }), Option.getOrThrow),
    }),
    Layer.mock(AccountErasures, {
      list: Effect.succeed([]),
      isUnderWay: (account) => Effect.sync(() => state.removed.has(account)),
      end: (account) =>
        Effect.andThen(
          Effect.suspend(() => state.erasing),
          Effect.sync(() => void (state.removed.delete(account), state.did.push(`${account} erased`))),
        ),
    }),
    Layer.mock(Sessions, { insert: (session) => Effect.sync(() => void state.sessions.push(session)) }),
    Layer.mock(Tokens, {
      publicKeys: { keys: [] },
      issue: (use, { sessionId, expiresAt }) =>
        Effect.succeed({ token: `${use} of ${sessionId} for ${expiresAt - NOW}`, keyId: "k" }),
    }),
    Layer.mock(LoginThrottle, {
      sweep: Effect.void,
      limit: (account, _, network, ask) => Effect.andThen(note(`attempt on ${account} from ${network}`), ask),
    }),
    Layer.mock(CredentialRelease, {}),
    Layer.mock(ServiceKeys, { find: () => Effect.succeedNone }),
    Layer.mock(Audit, {
      trailOf:
        ({ key }) =>
        (operation) =>
          note(`audit: ${operation} by ${key}`),
      worker: {} as never,
    }),
    Layer.succeed(AllAccountData, []),
    Layer.mock(Uploads, { sweep: Effect.void } as never),
    Layer.mock(DeliveryQueue, {}),
    readableHashes,
    readableIds,
    numberedIds,
    noTransaction,
  );
  const services = Layer.mergeAll(Accounts.layer, SessionTokens.layer).pipe(Layer.provideMerge(ports));

  /** Stores an account with a password that its servers accepted. */
  const enter = (over: Partial<Account> = {}, id = ME) => {
    const account = { ...newAccount(id, NOW - 1), managed: true, servers: at("own.test"), ...over };
    state.accounts.set(id, account);
    state.vault.set(id, { _tag: "Password", username: id, password: PASSWORD, version: 1, rejectedAt: null });
    return account;
  };
  return { state, services, enter };
};
