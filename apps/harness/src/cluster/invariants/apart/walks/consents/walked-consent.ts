import { Accounts, stateOf } from "@postern/core/accounts";
import { AccountChanges, AccountConnection, AccountCreation } from "@postern/core/lifecycle";
import { Inbox } from "@postern/core/messages";
import { Consents, MailCredentials, type OAuthApp } from "@postern/core/oauth";
import { AccountId } from "@postern/core/shared";
import { WebhookEndpoints } from "@postern/core/webhooks";
import { Context, Effect, Redacted } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import { dataOf, eventsOf } from "../../../../events-of.ts";
import type { SimulatedProvider } from "../../../../servers/OAuthProviders.ts";
import type { Visit } from "../../../../Visit.ts";
import { serversAt } from "../accounts/walked-account.ts";

/** Returns an account whose user consents at a provider, with a model of what is promised about it. */
export const walkedConsent = (visit: Visit, cluster: Cluster, email: string, { app, tokens }: SimulatedProvider) => {
  const id = AccountId(email);
  const isOwn = email.endsWith("@own.test");
  const named: OAuthApp = { ...app, id: `${app.id}-named`, servers: serversAt("new") };
  for (const place of isOwn ? ["own", "new"] : ["sim"])
    cluster.mail.at(`imap.${place}.test`).addAccount(email, "first");
  const known = {
    exists: false,
    kind: "password" as "password" | "oauth2",
    /** The app whose tokens open the account. */
    app: app.id,
    place: isOwn ? "own" : "sim",
    /** Why the provider or the mail server ended the credential. */
    refused: null as string | null,
    tags: [] as ReadonlyArray<string>,
    /** The number of consents so far. */
    consents: 0,
    isWatched: false,
    /** Whether the watch began with the present grant, so that it keeps the token fresh. */
    isKeptFresh: false,
  };
  /** The events of the account that are promised and not compared yet. */
  const promised: Array<string> = [];
  const compared = new Set<string>();
  const told = () =>
    eventsOf(cluster, id).flatMap((event) => {
      if (compared.has(event.id) || !event.type.startsWith("account.")) return [];
      compared.add(event.id);
      const reason = dataOf(event, "reason") as { readonly code: string } | undefined;
      return [`${event.type} ${reason?.code ?? ""}`.trim()];
    });
  let issued = 0;
  let latest = "";
  const refresh = tokens.refresh.bind(tokens);
  tokens.refresh = (presented, now) => {
    const granted = refresh(presented, now);
    if ("user" in granted && granted.user === email) {
      issued = now;
      latest = granted.accessToken;
    }
    return granted;
  };
  /** The access token of the newest consent. */
  let consented = "";
  const exchange = tokens.exchange.bind(tokens);
  tokens.exchange = (...request) => {
    const granted = exchange(...request);
    if ("user" in granted) consented = granted.accessToken;
    return granted;
  };
  /** The tokens that the mail server refuses for this account. */
  const refused = new Set<string>();
  for (const server of [cluster.mail, cluster.mail.at("imap.new.test")]) {
    const { opens } = server;
    server.opens = (account, token) => opens(account, token) && !(account === id && refused.has(token));
  }
  const find = visit.ask(`find ${email}`, (services) => Context.get(services, Accounts).find(email, null));
  return {
    id,
    email,
    isOwn,
    /** When the provider last issued a token by a refresh. */
    issuedAt: () => issued,
    /** Returns whether the newest consent, of any user, got this access token. */
    hasConsentedTo: (accessToken: Redacted.Redacted) => Redacted.value(accessToken) === consented,
    /** The token that the provider issued last by a refresh. */
    latest: () => latest,
    /** Makes the mail server refuse the token that the provider issued last. */
    refuseLatest: () => void refused.add(latest),
    /** The credential of the account ends for a reason, which is told once. */
    refuse: (cause: string): void => {
      if (known.refused === null) promised.push(`account.auth_failed ${cause}`);
      known.refused = cause;
    },
    /** Requests the newest message; returns the tag of the error, or `Answered`. */
    list: Effect.suspend(() =>
      visit.tagOf(`list ${email}`, (services) => Context.get(services, Inbox).list(id, { limit: 1 })),
    ),
    /** A message arrives on the servers of the account. */
    arrive: (): void => {
      const server = isOwn ? cluster.mail.at(`imap.${known.place}.test`) : cluster.mail;
      const text = `From: friend@far.test\r\nTo: ${email}\r\nSubject: arrived\r\n\r\nwords\r\n`;
      server.account(id).mailbox("INBOX").append(new TextEncoder().encode(text), visit.now, []);
    },
    /** The state of the account, with its reason. */
    state: Effect.map(find, (found) => [stateOf(found), found.unreachable?.cause ?? null]),
    app,
    /** Another app at the same provider, which names the servers of its accounts. */
    named,
    tokens,
    known,
    promised,
    token: Effect.suspend(() =>
      visit.tagOf(`a token of ${email}`, (services) => Context.get(services, MailCredentials).of(id)),
    ),
    create: (place: "own" | "new") =>
      visit.tagOf(`create ${email}`, (services) =>
        Context.get(services, AccountCreation).create(
          {
            email,
            name: null,
            secret: { _tag: "Password", password: Redacted.make("first") },
            tags: [],
            ...serversAt(place),
          },
          null,
        ),
      ),
    givePassword: Effect.suspend(() =>
      visit.tagOf(`change ${email}`, (services) =>
        Context.get(services, AccountChanges).change(email, { password: Redacted.make("first") }, null),
      ),
    ),
    watch: Effect.suspend((): Effect.Effect<unknown, unknown> =>
      visit.ask("endpoint", (services) =>
        Context.get(services, WebhookEndpoints).create(
          { _tag: "Account", account: id },
          { url: `https://${email.split("@")[0]}.sim.test/`, events: ["email.received"] },
        ),
      ),
    ),
    /** A user consents in a browser; returns the tag of the error, or `Answered`. */
    consent: (user: string, tags: ReadonlyArray<string> | null, by = app): Effect.Effect<string, unknown> =>
      Effect.gen(function* () {
        const browser = Redacted.make(`browser of ${email}`);
        const consents = <A, E>(use: (all: Consents["Service"]) => Effect.Effect<A, E>) =>
          visit.ask("consents", (services) => use(Context.get(services, Consents)));
        const start = { app: by.id, address: email, link: null, browser, network: "192.0.2.9" };
        const { url, state } = yield* consents((all) => all.begin(start));
        const callbackUrl = Redacted.make(tokens.consent(url, user));
        const take = (by: Redacted.Redacted) => Effect.result(consents((all) => all.take(state, by)));
        visit.same((yield* take(Redacted.make("another")))._tag, "Failure", "a consent in another browser");
        const taken = yield* take(browser);
        if (taken._tag === "Failure") return "ConsentExpired";
        visit.same((yield* take(browser))._tag, "Failure", "a consent that is taken twice");
        return yield* visit.tagOf("connect", (services) =>
          Effect.flatMap(Context.get(services, Consents).finish(taken.success, state, callbackUrl), (offered) =>
            Context.get(services, AccountConnection).byGrant(
              { address: email, app: by.id, tags, reach: null },
              email,
              offered,
              Effect.void,
            ),
          ),
        );
      }),
    /** Compares the account and its new events with the model. */
    compare: Effect.gen(function* () {
      visit.same(told(), promised.splice(0), `the events about ${email}`);
      const found = yield* Effect.result(
        visit.ask(`find ${email}`, (services) => Context.get(services, Accounts).find(email, null)),
      );
      if (found._tag === "Failure") return visit.expect(!known.exists, `${email} is not found`);
      const { authKind, provider, servers, tags, managed, refusedCause, refusedAt } = found.success;
      visit.same(
        [known.exists, managed, authKind, provider, tags, servers?.imap.host, servers?.smtp.host],
        [
          true,
          true,
          known.kind,
          known.kind === "oauth2" ? known.app : null,
          known.tags,
          ...(isOwn ? [`imap.${known.place}.test`, `smtp.${known.place}.test`] : [undefined, undefined]),
        ],
        `the record of ${email}`,
      );
      const reason = refusedAt === null ? null : refusedCause;
      visit.same(reason, known.refused, `why ${email} needs a new consent`);
      if (known.refused !== null) visit.same(stateOf(found.success), "needs_reauth", `the state of ${email}`);
    }),
  };
};
export type WalkedConsent = ReturnType<typeof walkedConsent>;
