import { Accounts, AccountStanding } from "@postern/core/accounts";
import { Authentication } from "@postern/core/auth";
import { AccountChanges, AccountCreation, AccountRemoval } from "@postern/core/lifecycle";
import { MessageSender } from "@postern/core/send";
import { AccountId } from "@postern/core/shared";
import { WebhookEndpoints } from "@postern/core/webhooks";
import { Context, Effect, Redacted } from "effect";
import type { Cluster } from "../../Cluster.ts";

import type { Invariant } from "../../Invariant.ts";
import type { Visit } from "../../Visit.ts";
import { PASSWORD, textOf } from "../../world/accounts.ts";

const TAG = "visited";
/** The maximum time until an event is delivered, in milliseconds. */
const EVENT_MILLIS = 5_000;

/**
 * An application gets the promised events of its accounts: arrivals while an account is watched, its addition and its
 * removal, regardless of the entry of the endpoint's reach that names the account. Nothing is sent, watched or
 * announced for a paused or removed account. An account that is added again keeps only its new data. [S10.3-27]
 * [S10.3-29] [S10.3-36]
 */
export const managedAccounts: Invariant = {
  name: "managed-accounts",
  watch: (cluster) => ({
    calm: (visit) =>
      Effect.gen(function* () {
        yield* checkManaged(visit, cluster);
        yield* checkRemoved(visit, cluster);
        yield* checkUnmanaged(visit, cluster);
        yield* checkPaused(visit, cluster);
      }),
  }),
};

const owner = { _tag: "Application", application: "visitor", reach: [`tag:${TAG}`], notify: null } as const;

const managerOf = (visit: Visit, cluster: Cluster, email: string, url: string) => {
  const account = AccountId(email);
  const mailAccount = cluster.mail.addAccount(email, PASSWORD);
  const bodies = () =>
    cluster.receivers.posts.filter((post) => post.url === url).map(({ post }) => new TextDecoder().decode(post.body));
  const secret = { _tag: "Password" as const, password: Redacted.make(PASSWORD) };
  return {
    account,
    /** Returns the number of POSTs that contain all of these words. */
    told: (...words: ReadonlyArray<string>) =>
      bodies().filter((body) => words.every((word) => body.includes(word))).length,
    watch: (at = url) =>
      visit.ask("create an endpoint", (services) =>
        Context.get(services, WebhookEndpoints).create(owner, {
          url: at,
          events: ["email.received", "account.added", "account.removed", "account.auth_failed"],
        }),
      ),
    create: visit.ask(`manage ${email}`, (services) =>
      Context.get(services, AccountCreation).create(
        { email, name: null, secret, tags: [TAG], imap: null, smtp: null },
        null,
      ),
    ),
    remove: visit.ask(`remove ${email}`, (services) => Context.get(services, AccountRemoval).remove(account)),
    pause: (paused: boolean) =>
      visit.ask(`pause ${email}`, (services) => Context.get(services, AccountChanges).change(email, { paused }, null)),
    use: visit.tagOf(`use ${email}`, (services) => Context.get(services, Accounts).use(email, null)),
    isPaused: visit.tagOf(`check ${email}`, (services) =>
      Context.get(services, AccountStanding).checkNotPaused(account),
    ),
    send: (subject: string, sendAt?: number) =>
      visit.ask(`send ${subject}`, (services) =>
        Context.get(services, MessageSender).send(
          account,
          {
            to: `${subject}@far.test`,
            subject,
            text: "simulated",
            sendAt: sendAt === undefined ? undefined : new Date(sendAt).toISOString(),
          },
          undefined,
        ),
      ),
    arrive: (word: string) =>
      void mailAccount.mailbox("INBOX").append(textOf(`<${word}@far.test>`, email), cluster.timeline.now),
  };
};

const checkManaged = (visit: Visit, cluster: Cluster) =>
  Effect.gen(function* () {
    const manager = managerOf(visit, cluster, "managed@sim.test", "https://visit.sim.test/application");
    manager.arrive("managed-before");
    yield* manager.watch();
    yield* manager.create;
    manager.arrive("managed-first");
    yield* visit.within(EVENT_MILLIS, "an arrival is not announced", () => manager.told("managed-first") === 1);
    visit.same(manager.told("account.added", manager.account), 1, "the account.added of an account");
    const planned = yield* manager.send("managed-planned", visit.now + 6_000);
    yield* manager.pause(true);
    visit.same([yield* manager.use, yield* manager.isPaused], ["AccountPaused", "AccountPaused"], "a paused account");
    // The mail server refuses the credential during the pause; the account still counts as paused.
    cluster.mail.addAccount(manager.account, "another password");
    yield* visit.ask("verify", (services) => Context.get(services, AccountChanges).verify(manager.account, null));
    visit.same(
      [yield* manager.use, yield* manager.isPaused],
      ["AccountPaused", "AccountPaused"],
      "one that is refused too",
    );
    cluster.mail.addAccount(manager.account, PASSWORD);
    manager.arrive("managed-paused");
    yield* visit.wait(8_000);
    visit.same(cluster.smtp.copiesOf(planned.id, "managed-planned@far.test"), 0, "mail of a paused account");
    visit.same(manager.told("managed-paused"), 0, "the arrivals at a paused account that are announced");
    yield* visit.ask("change the password", (services) =>
      Context.get(services, AccountChanges).change(
        manager.account,
        { paused: false, password: Redacted.make(PASSWORD) },
        null,
      ),
    );
    visit.same(yield* manager.use, "Answered", "a resumed account");
    const isSent = () => cluster.smtp.copiesOf(planned.id, "managed-planned@far.test") === 1;
    yield* visit.within(2 * EVENT_MILLIS, "mail of a resumed account is not sent", isSent);
    manager.arrive("managed-resumed");
    yield* visit.within(
      2 * EVENT_MILLIS,
      "an arrival after a pause is not announced",
      () => manager.told("managed-resumed") === 1,
    );
    visit.same([manager.told("managed-before"), manager.told("managed-first")], [0, 1], "what was announced before");
  });

/** An endpoint that is created during a pause watches no paused account. [S10.3-27] */
const checkPaused = (visit: Visit, cluster: Cluster) =>
  Effect.gen(function* () {
    const url = "https://visit.sim.test/resting";
    const manager = managerOf(visit, cluster, "resting@sim.test", url);
    yield* manager.create;
    yield* manager.pause(true);
    yield* manager.watch();
    manager.arrive("resting-paused");
    yield* visit.wait(8_000);
    visit.same(manager.told("resting-paused"), 0, "the arrivals at a paused account that a new endpoint is told");
    yield* manager.remove;
  });

/** An application gets events of the accounts that it manages, not of accounts that only signed in. [S10.3-33] */
const checkUnmanaged = (visit: Visit, cluster: Cluster) =>
  Effect.gen(function* () {
    const url = "https://visit.sim.test/domain";
    const reach = { ...owner, reach: ["*@sim.test"] };
    const { endpoint } = yield* visit.ask("create an endpoint", (services) =>
      Context.get(services, WebhookEndpoints).create(reach, { url, events: ["email.received"] }),
    );
    const account = yield* visit.signUp("unmanaged");
    yield* visit.ask("create an endpoint", (services) =>
      Context.get(services, WebhookEndpoints).create(
        { _tag: "Account", account },
        { url: "https://visit.sim.test/unmanaged", events: ["email.received"] },
      ),
    );
    const posts = (to: string) =>
      cluster.receivers.posts.filter(
        (one) => one.url === to && new TextDecoder().decode(one.post.body).includes("unmanaged-first"),
      ).length;
    cluster.mail
      .account(account)
      .mailbox("INBOX")
      .append(textOf("<unmanaged-first@far.test>", account), cluster.timeline.now);
    const isTold = () => posts("https://visit.sim.test/unmanaged") === 1;
    yield* visit.within(EVENT_MILLIS, "an arrival is not announced", isTold);
    yield* visit.wait(1_000);
    visit.same(posts(url), 0, "the arrivals at an account that is not managed that its application is told");
    yield* visit.ask("remove", (services) => Context.get(services, WebhookEndpoints).remove(reach, endpoint.id));
  });

const checkRemoved = (visit: Visit, cluster: Cluster) =>
  Effect.gen(function* () {
    const manager = managerOf(visit, cluster, "leaving@sim.test", "https://visit.sim.test/leaving");
    yield* manager.watch();
    yield* manager.create;
    const pair = yield* visit.signIn(manager.account, PASSWORD);
    const planned = yield* manager.send("leaving-planned", visit.now + 5_000);
    yield* manager.remove;
    visit.same(yield* manager.use, "AccountNotFound", "a removed account");
    const token = yield* visit.tagOf("use a token", (services) =>
      Context.get(services, Authentication).byAccessToken(pair.token),
    );
    visit.same(token, "TokenRejected", "the session of a removed account");
    manager.arrive("leaving-removed");
    yield* visit.within(
      EVENT_MILLIS,
      "a removal is not announced",
      () => manager.told("account.removed", manager.account) === 1,
    );
    // The account is added again: erased data stays erased, new data stays, and mail that arrived in between is not
    // announced.
    yield* manager.create;
    const endpoint = yield* visit.ask("create an endpoint", (services) =>
      Context.get(services, WebhookEndpoints).create(
        { _tag: "Account", account: manager.account },
        { url: "https://visit.sim.test/back", events: ["email.received"] },
      ),
    );
    const again = yield* visit.signIn(manager.account, PASSWORD);
    manager.arrive("leaving-back");
    yield* visit.within(EVENT_MILLIS, "an arrival is not announced", () => manager.told("leaving-back") === 1);
    yield* visit.wait(10_000);
    visit.same(manager.told("leaving-removed"), 0, "the mail of a removed account that is announced");
    visit.same(cluster.smtp.copiesOf(planned.id, "leaving-planned@far.test"), 0, "what a removed account planned");
    const stillThere = yield* visit.ask("find", (services) =>
      Context.get(services, WebhookEndpoints).page({ _tag: "Account", account: manager.account }, {}),
    );
    visit.same(
      stillThere.items.map((one) => one.endpoint.id),
      [endpoint.endpoint.id],
      "the endpoints of one that came back",
    );
    const live = yield* visit.tagOf("use a token", (services) =>
      Context.get(services, Authentication).byAccessToken(again.token),
    );
    visit.same(live, "Answered", "the session of an account that came back");
    visit.expect(manager.told("account.added", manager.account) >= 1, "an account that came back is not announced");
  });
