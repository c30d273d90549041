import { FolderManagement } from "@postern/core/folders";
import { AccountChanges, LiveEvents } from "@postern/core/lifecycle";
import { Outbox } from "@postern/core/send";
import { type EndpointOwner, WebhookEndpoints } from "@postern/core/webhooks";
import { Context, Effect, Redacted } from "effect";
import { byText } from "../../../by-text.ts";
import type { Cluster } from "../../../Cluster.ts";
import { eventsOf } from "../../../events-of.ts";
import type { Invariant } from "../../../Invariant.ts";
import { NOTICES_HOST } from "../../../servers/SmtpSink.ts";
import type { Visit } from "../../../Visit.ts";
import { managedAccount } from "../../deadlines/managed-account.ts";
import { SECOND } from "../durations.ts";
import { managerOf } from "./manager.ts";
import { operatorOf } from "./operator.ts";

const APPLICATION = "noticed";
/** A time longer than nodes need to start, and an event to be delivered. */
const SOON = 8 * SECOND;

/**
 * An endpoint whose ladder ends is told to its owner by one e-mail: to the account from its own server or from the operator's,
 * and to an application's address or else its key's by the operator's server alone. The application's other endpoints and
 * its feed have the event, and so do those of refused accounts. [S7.5-4] [S7.5-11] [S10.2-35] [S10.3-32] [S10.3-37]
 * [S10.3-38]
 */
export const endpointNotices: Invariant = {
  name: "endpoint-notices",
  watch: () => ({
    apart: (visit, cluster) =>
      Effect.gen(function* () {
        cluster.noticesFrom = visit.pickInTurn(["notices@operator.test", "notices@operator.test", null]);
        for (let place = 0; place < cluster.size; place++) {
          cluster.crash(place);
          cluster.boot(place);
        }
        yield* visit.wait(SOON);
        yield* endLadders(visit, cluster);
      }),
  }),
};

const endLadders = (visit: Visit, cluster: Cluster) =>
  Effect.gen(function* () {
    const { noticesFrom, random, receivers } = cluster;
    const operator = operatorOf(visit, cluster);
    const account = yield* managedAccount(visit, cluster, "noticed");
    // An application has no mailbox to send from, even if its address is an account.
    const addresses = [
      yield* managedAccount(visit, cluster, "noticed-of-key"),
      yield* managedAccount(visit, cluster, "noticed-of-application"),
    ] as const;
    const ofKey = random.pick([null, addresses[0]]);
    const { key } = yield* operator.make(APPLICATION, { notify: ofKey });
    const ofApplication = (application: string, notify: string | null): EndpointOwner => ({
      _tag: "Application",
      application,
      reach: null,
      notify,
    });
    const [own, other] = [ofApplication(APPLICATION, key.notify), ofApplication("another", "another@ops.test")];
    const ofAccount: EndpointOwner = { _tag: "Account", account };
    const endpoints = <A, E>(use: (all: WebhookEndpoints["Service"]) => Effect.Effect<A, E>) =>
      visit.ask("endpoints", (services) => use(Context.get(services, WebhookEndpoints)));
    const create = (owner: EndpointOwner, name: string, events: ReadonlyArray<string>) =>
      Effect.map(
        endpoints((all) => all.create(owner, { url: urlOf(name), events })),
        ({ endpoint }) => endpoint.id,
      );
    const failing = [
      [own, "failing", yield* create(own, "failing", ["folder.created"])],
      [ofAccount, "failing-of-account", yield* create(ofAccount, "failing-of-account", ["folder.created"])],
    ] as const;
    const HEARD = ["webhook.disabled", "account.auth_failed", "account.recovered"];
    yield* create(own, "hearing", HEARD);
    yield* create(ofAccount, "hearing-of-account", ["webhook.disabled"]);
    yield* create(other, "another", ["webhook.disabled"]);
    for (const [, name] of failing) receivers.behave(urlOf(name), { broken: 1, silent: 0, cut: 0, slow: 2 });
    const feed = (after?: string) =>
      visit.ask("read the feed", (services) =>
        Context.get(services, LiveEvents).readFeed(
          { after, types: "webhook.disabled" },
          Effect.succeed({ reach: null, application: APPLICATION }),
        ),
      );
    const start = (yield* feed()).next;
    const setNotify = (notify: string | null) =>
      Effect.as(
        operator.keys((all) => all.changeApplication(APPLICATION, { notify })),
        notify,
      );
    yield* setNotify(random.pick([null, addresses[1]]));

    const promised: Array<readonly [host: string, from: string, to: string, about: string]> = [];
    const rounds = random.between(1, 3);
    for (let round = 1; round <= rounds; round++) {
      for (const [owner, , id] of failing) yield* endpoints((all) => all.enable(owner, id));
      yield* visit.ask("create a folder", (services) =>
        Context.get(services, FolderManagement).create(account, { name: `told ${round}`, parentId: null }),
      );
      // The address of the moment at which the endpoint is disabled counts.
      const notify = (yield* setNotify(random.pick([null, addresses[1], "changed@ops.test"]))) ?? key.notify;
      for (const step of cluster.ladder) {
        yield* visit.skip(step + SECOND);
        yield* visit.wait(2 * SECOND);
      }
      yield* visit.wait(SOON);
      if (noticesFrom !== null && notify !== null) promised.push([NOTICES_HOST, noticesFrom, notify, urlOf("failing")]);
      promised.push([
        noticesFrom === null ? "smtp.sim.test" : NOTICES_HOST,
        noticesFrom ?? account,
        account,
        urlOf("failing-of-account"),
      ]);
      const sent = cluster.smtp.taken.map(({ host, from, recipients, raw }) => {
        const text = new TextDecoder().decode(raw);
        return [
          host,
          from,
          recipients.join(),
          failing.map(([, name]) => urlOf(name)).find((url) => text.includes(`${url} `)),
        ];
      });
      visit.same(sorted(sent), sorted(promised), "the notices about disabled endpoints");
      const ids = new Set(cluster.smtp.taken.map(({ envelopeId }) => envelopeId));
      visit.same(ids.size, promised.length, "the number of different notices");
      for (const [owner, name, id] of failing) {
        const { items } = yield* endpoints((all) => all.page(owner, {}));
        const found = items.find(({ endpoint }) => endpoint.id === id)?.endpoint;
        visit.same(
          [found?.state, found?.disabledReason],
          ["disabled", "exhausted"],
          `the endpoint ${name} in the list`,
        );
      }
      const ends = failing.map(([owner, , id]) => [owner._tag === "Account" ? account : null, id, "exhausted"]);
      const [ofKeys, ofAccounts] = [ends, ends.slice(1)].map((all) =>
        sorted(Array.from({ length: round }, () => all).flat()),
      );
      const heard = (name: string) =>
        sorted(
          posted(cluster, name)
            .filter(({ event }) => event === HEARD[0])
            .map(endOf),
        );
      visit.same(heard("hearing"), ofKeys, "the ends that an application's endpoint has");
      visit.same(heard("hearing-of-account"), ofAccounts, "the ends that an account's endpoint has");
      visit.same(heard("another"), ofAccounts, "the ends that another application's endpoint has");
      const { events } = yield* feed(start);
      const read = events.map(({ body }) => endOf(JSON.parse(new TextDecoder().decode(body))));
      visit.same(sorted(read), ofKeys, "the ends in the feed of a key");
    }
    const { items } = yield* visit.ask("outbox", (services) => Context.get(services, Outbox).page(account, {}));
    visit.same(
      [items.length, eventsOf(cluster, account, "email.sent").length, sentCopies(cluster, account)],
      [0, 0, 0],
      "the entries of the outbox, the events and the copies in Sent of notices",
    );
    yield* refuse(visit, cluster, account);
  });

/** A key reads that the credential of an account is refused, and its application's endpoint is told, also about the recovery. */
const refuse = (visit: Visit, cluster: Cluster, account: string) =>
  Effect.gen(function* () {
    const { use, verify } = managerOf(visit, cluster);
    cluster.mail.addAccount(account, "another password");
    yield* verify(account);
    visit.same(yield* use(account), "AccountNeedsReauth", "the account of a refused credential");
    yield* visit.ask("change", (services) =>
      Context.get(services, AccountChanges).change(account, { password: Redacted.make("another password") }, null),
    );
    visit.same(yield* use(account), "Answered", "an account with its next password");
    yield* visit.wait(SOON);
    const told = posted(cluster, "hearing").filter(({ event }) => event.startsWith("account."));
    visit.same(
      told.map((one) => `${one.event} ${one.account?.email}`).toSorted(byText),
      [`account.auth_failed ${account}`, `account.recovered ${account}`],
      "what an application's endpoint has about a refused account",
    );
  });

const urlOf = (name: string) => `https://visit.sim.test/notices/${name}`;

interface Body {
  readonly event: string;
  readonly account: { readonly email: string } | null;
  readonly data: { readonly endpointId?: string; readonly reason?: unknown };
}

/** The bodies of the POSTs to an endpoint. */
const posted = ({ receivers }: Cluster, name: string): ReadonlyArray<Body> =>
  receivers.posts
    .filter(({ url }) => url === urlOf(name))
    .map(({ post }) => JSON.parse(new TextDecoder().decode(post.body)));

const endOf = ({ account, data }: Body) => [account?.email ?? null, data.endpointId, data.reason];

const sorted = (rows: ReadonlyArray<unknown>) => rows.map((row) => JSON.stringify(row)).toSorted(byText);

const sentCopies = ({ mail }: Cluster, account: Parameters<Cluster["mail"]["account"]>[0]): number =>
  mail.account(account).find("Sent")?.mailbox?.messages.length ?? 0;
