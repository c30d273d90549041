import { Accounts, stateOf } from "@postern/core/accounts";
import { AccountChanges, AccountCreation } from "@postern/core/lifecycle";
import type { MailServer } from "@postern/core/mail";
import { Inbox, Messages } from "@postern/core/messages";
import { AccountId } from "@postern/core/shared";
import { WebhookEndpoints } from "@postern/core/webhooks";
import { Context, Effect, Redacted } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import { dataOf, eventsOf } from "../../../../events-of.ts";
import type { Visit } from "../../../../Visit.ts";
import { textOf } from "../../../../world/accounts.ts";

/** Where an account lives: on one of the two servers of own.test, or on the deployment's. */
export type Place = "own" | "new" | "sim";
type Patch = Parameters<AccountChanges["Service"]["change"]>[1];

const portOf = (host: string): number => (host.startsWith("imap") ? 993 : 465);
const serverAt = (host: string): MailServer => ({ host, port: portOf(host), tls: "implicit", origin: "account" });
export const serversAt = (place: Place, smtp = place) => ({
  imap: serverAt(`imap.${place}.test`),
  smtp: serverAt(`smtp.${smtp}.test`),
});

/** Returns a managed account with a model of what is promised about it. */
export const walkedAccount = (visit: Visit, cluster: Cluster, email: string, isWatched: boolean) => {
  const id = AccountId(email);
  const home: Place = email.endsWith("@own.test") ? "own" : "sim";
  const known = {
    exists: false,
    name: null as string | null,
    tags: [] as ReadonlyArray<string>,
    isPaused: false,
    isRefused: false,
    place: home as Place,
    /** Where the SMTP server is, if it alone has changed. */
    smtp: home as Place,
    createdAt: 0,
    /** The password that Postern stores. */
    stored: "",
    /** The message ids of the present servers, and those that a move or removal ended. */
    ids: [] as ReadonlyArray<string>,
    endedIds: [] as ReadonlyArray<string>,
    /** Mail that was on a server when the account moved there, which is never announced again. */
    old: new Map<string, number>(),
    /** The password that each server accepts now. */
    passwords: { own: "first", new: "first", sim: "first" } as Record<Place, string>,
  };
  /** The events of the account that are promised and not compared yet. */
  const promised: Array<unknown> = [];
  const compared = new Set<string>();
  /** What each server was sent; a secret may only reach the server that accepted it. */
  const places: ReadonlyArray<Place> = home === "own" ? ["own", "new"] : ["sim"];
  const mailAt = (place: Place) => cluster.mail.at(`imap.${place}.test`);
  const setPassword = (place: Place, password: string) => {
    known.passwords[place] = password;
    mailAt(place).addAccount(email, password);
  };
  for (const place of places) setPassword(place, "first");
  let arrivals = 0;
  const told = () => eventsOf(cluster, id).filter(({ type }) => type.startsWith("account."));
  return {
    id,
    email,
    known,
    places,
    promised,
    mailAt,
    setPassword,
    isWatched,
    list: Effect.suspend(() => visit.ask(`list ${email}`, (services) => Context.get(services, Inbox).list(id, {}))),
    /** Makes a request that needs the mail server; returns the tag of its error, or `Answered`. */
    use: Effect.suspend(() =>
      visit.tagOf(`list ${email}`, (services) => Context.get(services, Inbox).list(id, { limit: 1 })),
    ),
    open: (message: string) =>
      visit.tagOf(`open ${message}`, (services) => Context.get(services, Messages).read(id, message)),
    create: (more: {
      readonly password: string;
      readonly name?: string;
      readonly tags?: ReadonlyArray<string>;
      readonly place?: Place;
    }): Effect.Effect<string> =>
      visit.tagOf(`create ${email}`, (services) =>
        Context.get(services, AccountCreation).create(
          {
            email,
            name: more.name ?? null,
            secret: { _tag: "Password", password: Redacted.make(more.password) },
            tags: more.tags ?? [],
            ...(more.place === undefined ? { imap: null, smtp: null } : serversAt(more.place)),
          },
          null,
        ),
      ),
    change: (patch: Patch): Effect.Effect<string> =>
      visit.tagOf(`change ${email}`, (services) => Context.get(services, AccountChanges).change(email, patch, null)),
    verify: Effect.suspend(() =>
      visit.tagOf(`verify ${email}`, (services) => Context.get(services, AccountChanges).verify(email, null)),
    ),
    /** Creates an endpoint, so that the account is watched. */
    watch: Effect.suspend((): Effect.Effect<unknown, unknown> =>
      visit.ask("endpoint", (services) =>
        Context.get(services, WebhookEndpoints).create(
          { _tag: "Account", account: id },
          { url: `https://${email.split("@")[0]}.sim.test/`, events: ["email.received"] },
        ),
      ),
    ),
    /** Mail arrives at a server; returns its Message-ID. */
    arrive: (place: Place) => {
      const messageId = `<${email}-${++arrivals}>`;
      mailAt(place).account(id).mailbox("INBOX").append(textOf(messageId, email), visit.now);
      return messageId;
    },
    announced: (messageId: string) =>
      eventsOf(cluster, id, "email.received").filter((event) => dataOf(event, "messageId") === messageId).length,
    /** Compares the account and its new events with the model. */
    compare: Effect.gen(function* () {
      const found = yield* Effect.result(
        visit.ask(`find ${email}`, (services) => Context.get(services, Accounts).find(email, null)),
      );
      const events = told().filter((event) => !compared.has(event.id));
      for (const event of events) compared.add(event.id);
      const shown = events.map((event) => [
        event.type,
        event.type === "account.servers_changed" ? dataOf(event, "imap") : null,
      ]);
      visit.same(shown, promised.splice(0), `the events about ${email}`);
      if (found._tag === "Failure") return visit.expect(!known.exists, `${email} is not found`);
      const { name, tags, managed, pausedAt, servers, authKind, provider, follow, createdAt } = found.success;
      const state = known.isPaused ? "paused" : known.isRefused ? "needs_reauth" : "active";
      visit.same(
        [known.exists, name, tags, managed, pausedAt !== null, authKind, provider, follow, createdAt],
        [true, known.name, known.tags, true, known.isPaused, "password", null, null, known.createdAt || createdAt],
        `the record of ${email}`,
      );
      visit.same(stateOf(found.success), state, `the state of ${email}`);
      visit.same(
        [servers?.imap.host, servers?.smtp.host],
        known.place === "sim" ? [undefined, undefined] : [`imap.${known.place}.test`, `smtp.${known.smtp}.test`],
        `the servers of ${email}`,
      );
      known.createdAt = createdAt;
    }),
  };
};
export type WalkedAccount = ReturnType<typeof walkedAccount>;
