import { Accounts, stateOf } from "@postern/core/accounts";
import { AccountSessions, CredentialVault } from "@postern/core/auth";
import { AccountCreation, SignIn } from "@postern/core/lifecycle";
import { MessageSender } from "@postern/core/send";
import type { AccountId } from "@postern/core/shared";
import { WebhookEndpoints } from "@postern/core/webhooks";
import { Context, Effect, Option, Redacted } from "effect";
import type { Cluster } from "../../Cluster.ts";
import { dataOf, eventsOf } from "../../events-of.ts";
import type { Invariant } from "../../Invariant.ts";
import type { Visit } from "../../Visit.ts";
import { textOf } from "../../world/accounts.ts";

/** The maximum time for which an account keeps a credential that it no longer needs, in milliseconds. */
const RELEASE_MILLIS = 6_000;
/** The maximum time until a watch notices an unavailable server or a new password, in milliseconds. */
const OUTAGE_NOTICE_MILLIS = 90_000;
const PASSWORD_NOTICE_MILLIS = 30_000;
const NEW_PASSWORD = "a new password of the visitor";

/**
 * A credential is kept exactly as long as its account needs it. During an outage no password counts as refused, and the
 * first success ends the outage. A watch continues after a new password. [S3.6-2] [S3.7-5] [S3.7-6] [S10.3-10]
 */
export const credentials: Invariant = {
  name: "credentials",
  watch: (cluster) => ({
    calm: (visit) =>
      Effect.all(
        [
          checkEndpointNeed(visit, cluster),
          checkUnsentNeed(visit, cluster),
          checkOutage(visit, cluster),
          checkNewPassword(visit, cluster),
        ],
        {
          concurrency: "unbounded",
          discard: true,
        },
      ),
  }),
};

const isKept = (cluster: Cluster, account: AccountId): boolean =>
  Option.isSome(cluster.ask((ports) => Context.get(ports, CredentialVault).find(account)));

const logOut = (visit: Visit, account: AccountId) =>
  Effect.gen(function* () {
    const all = yield* visit.ask("sessions", (services) => Context.get(services, AccountSessions).page(account, {}));
    for (const { id } of all.items)
      yield* visit.ask("log out", (services) => Context.get(services, AccountSessions).end(account, id));
  });

const watch = (visit: Visit, account: AccountId, url: string) =>
  visit.ask("create an endpoint", (services) =>
    Context.get(services, WebhookEndpoints).create({ _tag: "Account", account }, { url, events: ["email.received"] }),
  );

/** An endpoint needs the credential, even while it is disabled. */
const checkEndpointNeed = (visit: Visit, cluster: Cluster) =>
  Effect.gen(function* () {
    const account = yield* visit.signUp("keeping");
    const owner = { _tag: "Account", account } as const;
    const { endpoint } = yield* watch(visit, account, "https://visit.sim.test/keeping");
    yield* visit.ask("disable", (services) => Context.get(services, WebhookEndpoints).disable(owner, endpoint.id));
    yield* logOut(visit, account);
    yield* visit.wait(RELEASE_MILLIS);
    visit.expect(isKept(cluster, account), "an account with a disabled endpoint lost its credential");
    yield* visit.ask("remove", (services) => Context.get(services, WebhookEndpoints).remove(owner, endpoint.id));
    yield* visit.within(RELEASE_MILLIS, "a credential without a need is kept", () => !isKept(cluster, account));
  });

/** An unsent message needs the credential. */
const checkUnsentNeed = (visit: Visit, cluster: Cluster) =>
  Effect.gen(function* () {
    const account = yield* visit.signUp("signed-out");
    const sendAt = new Date(visit.now + RELEASE_MILLIS).toISOString();
    const request = { to: "reader@far.test", subject: "the last one", text: "simulated", sendAt };
    const { id } = yield* visit.ask("send", (services) =>
      Context.get(services, MessageSender).send(account, request, undefined),
    );
    yield* logOut(visit, account);
    visit.expect(isKept(cluster, account), "an account with a scheduled message lost its credential");
    const isSent = () => cluster.smtp.copiesOf(id, "reader@far.test") === 1;
    yield* visit.within(2 * RELEASE_MILLIS, "the message of an account without sessions is not sent", isSent);
    yield* visit.within(RELEASE_MILLIS, "a credential is kept after the last message", () => !isKept(cluster, account));
  });

const signIn = (visit: Visit, account: AccountId, password: string) =>
  visit.tagOf(`sign in ${account}`, (services) =>
    Context.get(services, SignIn).withPassword(account, Redacted.make(password), {
      network: "192.0.2.30",
      userAgent: "visit",
    }),
  );

/** While the server is unavailable, no password counts as wrong; the first answer of the server ends this state. */
const checkOutage = (visit: Visit, cluster: Cluster) =>
  Effect.gen(function* () {
    const email = "away@sim.test";
    cluster.mail.addAccount(email, NEW_PASSWORD);
    const secret = { _tag: "Password" as const, password: Redacted.make(NEW_PASSWORD) };
    const { id: account } = yield* visit.ask(`manage ${email}`, (services) =>
      Context.get(services, AccountCreation).create(
        { email, name: null, secret, tags: [], imap: null, smtp: null },
        null,
      ),
    );
    const state = Effect.map(
      visit.ask("state", (services) => Context.get(services, Accounts).find(email, null)),
      stateOf,
    );
    yield* watch(visit, account, "https://visit.sim.test/away");
    cluster.servers.unreachable.add(account);
    for (let n = 0; n < 6; n++)
      visit.same(yield* signIn(visit, account, NEW_PASSWORD), "MailServerError", "a sign-in while the server is away");
    const until = visit.now + OUTAGE_NOTICE_MILLIS;
    while ((yield* state) !== "unreachable" && visit.now < until) yield* visit.wait(2_000);
    visit.same(yield* state, "unreachable", "the state of an account whose server is away");
    cluster.servers.unreachable.delete(account);
    // The watch polls INBOX again without being told.
    const again = visit.now + PASSWORD_NOTICE_MILLIS;
    while ((yield* state) !== "active" && visit.now < again) yield* visit.wait(2_000);
    visit.same(yield* state, "active", "the state once the server is back");
    visit.same(yield* signIn(visit, account, NEW_PASSWORD), "Answered", "the right password after an outage");
  });

/** After a refusal, the watch resumes from its cursor with the new password. */
const checkNewPassword = (visit: Visit, cluster: Cluster) =>
  Effect.gen(function* () {
    const account = yield* visit.signUp("renewed");
    const url = "https://visit.sim.test/renewed";
    yield* watch(visit, account, url);
    const inbox = cluster.mail.account(account).mailbox("INBOX");
    const arrive = (word: string) => void inbox.append(textOf(`<renewed-${word}@far.test>`, account), visit.now);
    const told = (word: string) =>
      cluster.receivers.posts.filter(
        ({ post, url: to }) => to === url && new TextDecoder().decode(post.body).includes(`renewed-${word}@`),
      ).length;
    arrive("first");
    yield* visit.within(RELEASE_MILLIS, "an arrival is not announced", () => told("first") === 1);
    // The server ends the connection at the next command, and refuses the next connection.
    cluster.servers.unreachable.add(account);
    cluster.mail.addAccount(account, NEW_PASSWORD);
    arrive("second");
    yield* visit.wait(RELEASE_MILLIS);
    cluster.servers.unreachable.delete(account);
    yield* visit.wait(2 * RELEASE_MILLIS);
    visit.same(yield* signIn(visit, account, NEW_PASSWORD), "Answered", "a sign-in with the new password");
    arrive("third");
    const areTold = () => told("second") === 1 && told("third") === 1;
    yield* visit.within(PASSWORD_NOTICE_MILLIS, "arrivals are not announced after a new password", areTold);
    const [, second] = eventsOf(cluster, account, "email.received");
    visit.same(
      dataOf(second!, "backfill"),
      true,
      "whether what arrived while nothing followed an account is a backfill",
    );
  });
