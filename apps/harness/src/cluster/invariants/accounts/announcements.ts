import { AccountChanges, SignIn } from "@postern/core/lifecycle";
import { FolderManagement } from "@postern/core/folders";
import { Inbox, MessageActions } from "@postern/core/messages";
import { Endpoints, WebhookEndpoints } from "@postern/core/webhooks";
import type { EventType } from "@postern/core/events";
import { OutgoingJournal } from "@postern/core/send";
import type { AccountId } from "@postern/core/shared";
import { Context, Effect, Option, Redacted } from "effect";
import type { Cluster } from "../../Cluster.ts";
import { dataOf, eventsOf } from "../../events-of.ts";
import type { Invariant } from "../../Invariant.ts";
import type { Visit } from "../../Visit.ts";
import { PASSWORD, textOf } from "../../world/accounts.ts";

/** The maximum time until an event is delivered, in milliseconds. */
const EVENT_MILLIS = 6_000;
const DOOMED = "https://doomed.sim.test/";

/**
 * Each change of an account is announced once, in time and correctly: flags, departures and returns of messages,
 * folders, the refusal and recovery of its credential, and the end of an endpoint after its last retry failed.
 */
export const announcements: Invariant = {
  name: "announcements",
  watch: (cluster) => {
    let doomed: { readonly account: AccountId; readonly id: string } | undefined;
    return {
      calm: (visit) =>
        Effect.gen(function* () {
          const account = yield* visit.signUp("doomed");
          cluster.receivers.behave(DOOMED, { broken: 1, silent: 0, cut: 0, slow: 2 });
          doomed = { account, id: yield* watch(visit, account, DOOMED, ["email.received"]) };
          yield* arrive(cluster, account, "doomed");
          yield* mail(visit, cluster);
          yield* credential(visit, cluster);
        }),
      quiet: () => {
        if (doomed === undefined) return;
        const { account, id } = doomed;
        const violate = (detail: string) => cluster.violate("announcements", detail);
        const posts = cluster.receivers.posts.filter(({ url }) => url === DOOMED).length;
        if (posts !== cluster.ladder.length + 1) violate(`an endpoint that always fails got ${posts} POSTs`);
        const [found, entries] = cluster.ask((ports) =>
          Effect.all([
            Context.get(ports, Endpoints).find({ _tag: "Account", account }, id),
            Context.get(ports, OutgoingJournal).list({ account }, cluster.timeline.now, 100),
          ]),
        );
        const reason = Option.getOrUndefined(found)?.disabledReason;
        if (reason !== "exhausted") violate(`an endpoint whose last retry failed is disabled: ${reason}`);
        const notices = entries.filter(({ message }) => message.kind === "notice").length;
        if (notices !== 1) violate(`${notices} notices about an endpoint that was disabled`);
        const told = eventsOf(cluster, account, "webhook.disabled").length;
        if (told !== 1) violate(`${told} webhook.disabled about an endpoint`);
      },
    };
  },
};

const watch = (visit: Visit, account: AccountId, url: string, events: ReadonlyArray<EventType>) =>
  Effect.map(
    visit.ask("create an endpoint", (services) =>
      Context.get(services, WebhookEndpoints).create({ _tag: "Account", account }, { url, events }),
    ),
    ({ endpoint }) => endpoint.id,
  );

const arrive = (cluster: Cluster, account: AccountId, word: string) =>
  Effect.sync(() =>
    cluster.mail
      .account(account)
      .mailbox("INBOX")
      .append(textOf(`<announced-${word}@far.test>`, account), cluster.timeline.now),
  );

const mail = (visit: Visit, cluster: Cluster) =>
  Effect.gen(function* () {
    const account = yield* visit.signUp("announced");
    yield* watch(visit, account, "https://visit.sim.test/announced", ["email.received"]);
    const told = (type: EventType) => eventsOf(cluster, account, type);
    const inbox = cluster.mail.account(account).mailbox("INBOX");
    const message = yield* arrive(cluster, account, "first");
    yield* visit.within(EVENT_MILLIS, "an arrival is not announced", () => told("email.received").length === 1);
    const { page } = yield* visit.ask("list", (services) => Context.get(services, Inbox).list(account, {}));
    const [entry] = page.emails;
    visit.same(dataOf(told("email.received")[0]!, "id"), entry?.id, "the id of a message that is announced");
    yield* visit.ask("flag", (services) =>
      Context.get(services, MessageActions).change(account, entry!.id, { flagged: true }, undefined),
    );
    yield* visit.within(EVENT_MILLIS, "changed flags are not announced", () => told("email.flags_changed").length > 0);
    visit.same(
      told("email.flags_changed").map((event) => dataOf(event, "flagged")),
      [true],
      "flags that are announced",
    );
    // Another client answers the message, which changes nothing else.
    inbox.find(message.uid)!.flags = ["\\Flagged", "\\Answered"];
    yield* visit.within(EVENT_MILLIS, "an answer is not announced", () => told("email.flags_changed").length > 1);
    visit.same(
      told("email.flags_changed").map((event) => dataOf(event, "answered")),
      [false, true],
      "answers that are announced",
    );
    const { raw, arrivedAt } = message;
    inbox.expunge([message.uid]);
    yield* visit.within(EVENT_MILLIS, "a departure is not announced", () => told("email.deleted").length > 0);
    visit.same(
      told("email.deleted").map((event) => dataOf(event, "uid")),
      [message.uid],
      "departures that are announced",
    );
    inbox.append(raw, arrivedAt);
    yield* visit.within(EVENT_MILLIS, "a return is not announced", () => told("email.received").length === 2);
    visit.same(
      told("email.received").map((event) => dataOf(event, "returned") ?? false),
      [false, true],
      "returns",
    );
    const folders = <A, E>(use: (all: FolderManagement["Service"]) => Effect.Effect<A, E>) =>
      visit.ask("folders", (services) => use(Context.get(services, FolderManagement)));
    const { id } = yield* folders((all) => all.create(account, { name: "Announced", parentId: null }));
    yield* folders((all) => all.change(account, id, { name: "Renamed" }));
    yield* folders((all) => all.remove(account, id, { permanent: false, recursive: false }));
    yield* folders((all) => all.list(account));
    const changes = eventsOf(cluster, account).filter(({ type }) => type.startsWith("folder."));
    visit.same(
      changes.map((event) => [event.type, dataOf(event, "id"), dataOf(event, "name")]),
      [
        ["folder.created", id, "Announced"],
        ["folder.renamed", id, "Renamed"],
        ["folder.deleted", id, "Renamed"],
      ],
      "the changes of a folder that are announced",
    );
  });

/** The mail server permanently refuses a password, and accepts the next one. */
const credential = (visit: Visit, cluster: Cluster) =>
  Effect.gen(function* () {
    const account = yield* visit.signUp("refusing");
    yield* watch(visit, account, "https://visit.sim.test/refusing", ["account.auth_failed"]);
    cluster.mail.addAccount(account, "a new password");
    const list = visit.tagOf("list", (services) => Context.get(services, Inbox).list(account, {}));
    for (let n = 0; n < 3; n++)
      visit.same(yield* list, "MailboxCredentialsRejected", "a request by a refused password");
    yield* visit.ask("verify", (services) => Context.get(services, AccountChanges).verify(account, null));
    yield* visit.wait(EVENT_MILLIS);
    const told = () => eventsOf(cluster, account).map(({ type }) => type);
    visit.same(told().filter((type) => type === "account.auth_failed").length, 1, "the account.auth_failed");
    yield* visit.ask("sign in", (services) =>
      Context.get(services, SignIn).withPassword(account, Redacted.make("a new password"), {
        network: "192.0.2.20",
        userAgent: "visit",
      }),
    );
    visit.same(yield* list, "Answered", "a request by the new password");
    visit.same(told().filter((type) => type === "account.recovered").length, 1, "the account.recovered");
    cluster.mail.addAccount(account, PASSWORD);
  });
