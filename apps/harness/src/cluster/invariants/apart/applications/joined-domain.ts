import { Accounts } from "@postern/core/accounts";
import { AccountChanges, AccountCreation } from "@postern/core/lifecycle";
import { Inbox } from "@postern/core/messages";
import { AccountId } from "@postern/core/shared";
import { WebhookEndpoints } from "@postern/core/webhooks";
import { Context, Effect, Redacted } from "effect";
import { dataOf, eventsOf } from "../../../events-of.ts";
import { textOf } from "../../../world/accounts.ts";
import { SECOND } from "../durations.ts";
import { serversAt } from "../walks/accounts/walked-account.ts";
import type { Manager } from "./manager.ts";

const EMAIL = "joined@own.test";
const ID = AccountId(EMAIL);
/** A time longer than nodes need to start, and an arrival to be announced. */
const SOON = 8 * SECOND;

/**
 * The domain of an account with servers of its own joins those of the deployment: from then on the account is shown, verified,
 * used and watched there. [S10.3-21] [S10.3-22]
 */
export const joinDomain = ({ visit, cluster, change, verify, use }: Manager): Effect.Effect<void, unknown> =>
  Effect.gen(function* () {
    const { random, mail } = cluster;
    const isSame = random.chance(0.5);
    const isWatched = random.chance(0.5);
    const [own, deployment] = [mail.at("imap.new.test"), mail];
    own.addAccount(EMAIL, "first");
    deployment.addAccount(EMAIL, isSame ? "first" : "second");
    const arrive = (server: typeof mail, name: string) =>
      server
        .account(ID)
        .mailbox("INBOX")
        .append(textOf(`<${name}>`, EMAIL), visit.now);
    arrive(own, "at its own");
    arrive(deployment, "at the deployment's");
    const password = Redacted.make("first");
    const created = yield* visit.tagOf("create", (services) =>
      Context.get(services, AccountCreation).create(
        { email: EMAIL, name: null, secret: { _tag: "Password", password }, tags: [], ...serversAt("new") },
        null,
      ),
    );
    visit.same(created, "Answered", "an account with servers of its own");
    if (isWatched)
      yield* visit.ask("endpoint", (services) =>
        Context.get(services, WebhookEndpoints).create(
          { _tag: "Account", account: ID },
          { url: "https://joined.sim.test/", events: ["email.received"] },
        ),
      );
    const compare = (host: string, messages: ReadonlyArray<string> | string, isVerified: boolean) =>
      Effect.gen(function* () {
        const [listed, details] = yield* visit.ask("show", (services) => {
          const accounts = Context.get(services, Accounts);
          return Effect.all([
            accounts.page({ query: EMAIL }, null),
            Effect.flatMap(accounts.find(EMAIL, null), accounts.details),
          ]);
        });
        const checked = yield* visit.ask("verify", (services) =>
          Context.get(services, AccountChanges).verify(EMAIL, null),
        );
        visit.same(
          [...listed.accounts, details].flatMap(({ servers }) => [servers?.imap.host, servers?.smtp.host]),
          [`imap.${host}`, `smtp.${host}`, `imap.${host}`, `smtp.${host}`],
          "the servers of an account that joined",
        );
        visit.same(
          [checked.verification.imap.host, checked.verification.imap.cause === null],
          [`imap.${host}`, isVerified],
          "the verified server of an account that joined",
        );
        const found = yield* Effect.result(visit.ask("list", (services) => Context.get(services, Inbox).list(ID, {})));
        visit.same(
          found._tag === "Success"
            ? found.success.page.emails.map(({ message }) => message.messageId)
            : found.failure._tag,
          messages,
          "the mail of an account that joined",
        );
      });
    yield* compare("new.test", ["<at its own>"], true);
    yield* visit.wait(SOON);
    cluster.imapDomains.push("own.test");
    for (let place = 0; place < cluster.size; place++) {
      cluster.crash(place);
      cluster.boot(place);
    }
    yield* visit.wait(SOON);
    yield* compare("sim.test", isSame ? ["<at the deployment's>"] : "MailboxCredentialsRejected", isSame);
    visit.same(
      yield* change(EMAIL, { servers: serversAt("new") }),
      "ServersFixed",
      "servers of an account that joined",
    );
    if (!isSame) {
      visit.same(yield* use(EMAIL), "AccountNeedsReauth", "an account whose password the deployment's server refuses");
      const wrong = yield* change(EMAIL, { password });
      const right = yield* change(EMAIL, { password: Redacted.make("second") });
      visit.same([wrong, right], ["AccountUnverified", "Answered"], "a former and a present password");
      yield* compare("sim.test", ["<at the deployment's>"], true);
    }
    visit.same(yield* verify(EMAIL), "Answered", "a verification of an account that joined");
    yield* visit.wait(SOON);
    arrive(own, "later at its own");
    arrive(deployment, "later at the deployment's");
    yield* visit.wait(SOON);
    // What was there before may be announced, because the servers cannot be compared.
    const announced = eventsOf(cluster, ID, "email.received").flatMap((event) => {
      const messageId = String(dataOf(event, "messageId"));
      return messageId.includes("later") ? [messageId] : [];
    });
    const promised = isWatched ? ["<later at the deployment's>"] : [];
    visit.same(announced, promised, "the announced mail of an account that joined");
  });
