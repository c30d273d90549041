import type { MailEvent } from "@postern/core/events";
import { FolderManagement } from "@postern/core/folders";
import { AccountCreation } from "@postern/core/lifecycle";
import { AccountId } from "@postern/core/shared";
import { WebhookEndpoints } from "@postern/core/webhooks";
import { Context, Effect, Redacted } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import { dataOf, eventsOf } from "../../../../events-of.ts";
import { PASSWORD, type Visit } from "../../../../Visit.ts";
import { type Owner, ownerOf } from "../../../webhooks/owner-of.ts";
import { SECOND } from "../../durations.ts";

/** The application whose own events are told. */
export const APPLICATION = "feeding";
/** Where the ledger stores the application's own events. */
const OWN = AccountId(`application ${APPLICATION}`);
/** The time until an event is told. */
export const TOLD = 6 * SECOND;

export type Reach = ReadonlyArray<string> | null;

/** An account with a tag; null if it is not managed, so that no key reaches it. */
export interface FedAccount {
  readonly id: AccountId;
  readonly tag: string | null;
  readonly arrive: Owner["arrive"];
  /** The number of events that were told before the account was added. */
  readonly addedAt: number;
  /** The Message-IDs of mail that arrived before the account was watched for the first time. */
  early: Array<string>;
}

/** A place in the feed, and the number of events before it. */
export interface FedPlace {
  readonly position: string;
  readonly seen: number;
  /** The id of the last event before it, if the feed was read before and after it: events of several accounts have no order until then. */
  readonly last: string | undefined;
}

/** The events of a few accounts and of an application, in the order in which they were raised. */
export class FeedModel {
  readonly accounts: Array<FedAccount> = [];
  readonly told: Array<MailEvent> = [];
  readonly places: Array<FedPlace> = [];
  readonly #visit: Visit;
  readonly #cluster: Cluster;
  #count = 0;
  #last: string | undefined;
  /** The number of events since a position was last remembered: events get their order only when the feed is read. */
  #unread = 0;

  constructor(visit: Visit, cluster: Cluster) {
    this.#visit = visit;
    this.#cluster = cluster;
  }

  /** Adds a managed account. */
  readonly add = (tag: string): Effect.Effect<FedAccount, unknown> =>
    Effect.gen({ self: this }, function* () {
      const addedAt = this.told.length;
      const email = `fed-${this.accounts.length}@sim.test`;
      this.#cluster.mail.addAccount(email, PASSWORD);
      const secret = { _tag: "Password" as const, password: Redacted.make(PASSWORD) };
      const { id } = yield* this.#visit.ask("manage", (services) =>
        Context.get(services, AccountCreation).create(
          { email, name: null, secret, tags: [tag], imap: null, smtp: null },
          null,
        ),
      );
      return yield* this.#known(id, tag, addedAt);
    });

  /** Adds an account, which has mail before anything watches it; unless there are many accounts. */
  readonly addEarly: Effect.Effect<void, unknown> = Effect.gen({ self: this }, function* () {
    if (this.accounts.length > 4) return;
    const { random } = this.#cluster;
    const one = yield* this.add(random.pick(["left", "right"]));
    yield* this.#visit.wait(random.pick([0, 2 * SECOND]));
    one.early.push(one.arrive());
  });

  /** Signs a user up, whose account no key reaches. */
  readonly signUp = Effect.gen({ self: this }, function* () {
    return yield* this.#known(yield* this.#visit.signUp("unfed"), null, this.told.length);
  });

  readonly #known = (id: AccountId, tag: string | null, addedAt: number) =>
    Effect.gen({ self: this }, function* () {
      const { arrive } = ownerOf(this.#visit, this.#cluster, id);
      const one: FedAccount = { id, tag, arrive, addedAt, early: [] };
      this.accounts.push(one);
      // The first listing announces nothing.
      yield* this.#visit.ask("folders", (services) => Context.get(services, FolderManagement).list(id));
      return one;
    });

  /** Raises an event of an account. */
  readonly createFolder = ({ id }: FedAccount): Effect.Effect<unknown, unknown> =>
    this.#visit.ask("create a folder", (services) =>
      Context.get(services, FolderManagement).create(id, { name: `Fed ${++this.#count}`, parentId: null }),
    );

  /** Raises an event of the application: one of its endpoints is disabled, and another one is told. */
  readonly disable: Effect.Effect<void, unknown> = Effect.gen({ self: this }, function* () {
    const owner = { _tag: "Application", application: APPLICATION, reach: ["tag:none"], notify: null } as const;
    const ask = <A, E>(use: (all: WebhookEndpoints["Service"]) => Effect.Effect<A, E>) =>
      this.#visit.ask("endpoints", (services) => use(Context.get(services, WebhookEndpoints)));
    const { items } = yield* ask((all) => all.page(owner, {}));
    for (let missing = 2 - items.length; missing > 0; missing--)
      yield* ask((all) => all.create(owner, { url: "https://visit.sim.test/fed", events: ["webhook.disabled"] }));
    const [one] = (yield* ask((all) => all.page(owner, {}))).items;
    yield* ask((all) => all.disable(owner, one!.endpoint.id));
    yield* ask((all) => all.enable(owner, one!.endpoint.id));
  });

  /** Learns the events that were told since. */
  readonly learn = Effect.gen({ self: this }, function* () {
    yield* this.#visit.wait(TOLD);
    const known = new Set(this.told.map(({ id }) => id));
    const found = [...this.accounts.map(({ id }) => id), OWN].flatMap((of) =>
      eventsOf(this.#cluster, of).filter(({ id }) => !known.has(id)),
    );
    this.told.push(...found);
    this.#unread += found.length;
    if (found.length > 0) this.#last = this.#unread === 1 ? found[0]!.id : undefined;
  });

  /** Remembers the position of the end of the feed. */
  note(position: string): void {
    this.places.push({ position, seen: this.told.length, last: this.#last });
    this.#unread = 0;
  }

  /** Returns the managed accounts that a reach contains. */
  reached(reach: Reach): ReadonlyArray<FedAccount> {
    return this.accounts.filter(
      ({ id, tag }) => tag !== null && (reach === null || reach.includes(`tag:${tag}`) || reach.includes(id)),
    );
  }

  /** Returns the ids of the events after the first `seen` that a key sees; those of each account are in order. */
  visible(reach: Reach, seen: number, application = APPLICATION): ReadonlyArray<string> {
    const ids = new Set<string>(this.reached(reach).map(({ id }) => id));
    return this.inGroups(
      this.told
        .slice(seen)
        .filter(({ account }) => ids.has(account) || (account === OWN && application === APPLICATION)),
    );
  }

  /** Returns the ids of events, those of one account together: events of several accounts at once have no order. */
  inGroups(events: ReadonlyArray<MailEvent>): ReadonlyArray<string> {
    const accounts = [...this.accounts.map(({ id }) => id), OWN];
    return accounts.flatMap((of) => events.flatMap(({ id, account }) => (account === of ? [id] : [])));
  }

  /** Whether an event is of an account of this model. */
  isOfAccount = ({ account }: MailEvent): boolean => this.accounts.some(({ id }) => id === account);
}

/** Whether some events announce a message. */
export const tells = (events: ReadonlyArray<MailEvent>, messageId: string): boolean =>
  events.some((event) => event.type === "email.received" && dataOf(event, "messageId") === messageId);
