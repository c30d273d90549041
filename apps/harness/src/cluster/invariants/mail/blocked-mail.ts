import { Blocks } from "@postern/core/arrivals";
import { Inbox, MessageActions } from "@postern/core/messages";
import { Context, Effect } from "effect";
import type { Cluster } from "../../Cluster.ts";
import { eventsOf } from "../../events-of.ts";
import type { Invariant } from "../../Invariant.ts";
import type { Visit } from "../../Visit.ts";
import { ownerOf } from "../webhooks/owner-of.ts";

/** The maximum time until an arrival is handled, in milliseconds. */
const SOON = 6_000;

/**
 * A message from a blocked sender is moved to Junk once, and is not announced; moved into INBOX on request, it stays. After the block is removed, messages of
 * the sender stay in INBOX and are announced. [S5.9-2] [S5.9-3]
 */
export const blockedMail: Invariant = {
  name: "blocked-mail",
  watch: (cluster) => ({ calm: (visit) => blockSender(visit, cluster) }),
};

const blockSender = (visit: Visit, cluster: Cluster) =>
  Effect.gen(function* () {
    const account = yield* visit.signUp("blocking");
    const { create, arrive } = ownerOf(visit, cluster, account);
    const ask = <A, E>(use: (blocks: Blocks["Service"]) => Effect.Effect<A, E>) =>
      visit.ask("blocks", (services) => use(Context.get(services, Blocks)));
    // The block is the only reason to watch the account.
    const { id } = yield* ask((blocks) => blocks.add(account, "friend@far.test"));
    const blocked = [arrive(), arrive()];
    const mail = cluster.mail.account(account);
    const junk = () =>
      mail.list().flatMap(({ path, mailbox }) => (/junk|spam/i.test(path) ? (mailbox?.messages ?? []) : []));
    const isMoved = () => junk().length === blocked.length && mail.mailbox("INBOX").messages.length === 0;
    yield* visit.within(SOON, "messages of a blocked sender are not moved to Junk", isMoved);
    yield* create("https://visit.sim.test/blocking");
    blocked.push(arrive());
    yield* visit.within(SOON, "a message of a blocked sender is not moved to Junk", isMoved);
    const { page } = yield* visit.ask("list Junk", (services) =>
      Context.get(services, Inbox).list(account, { folder: "junk" }),
    );
    yield* visit.ask("move into INBOX", (services) =>
      Context.get(services, MessageActions).change(account, page.emails[0]!.id, {}, "inbox"),
    );
    yield* visit.wait(SOON);
    visit.same(junk().length, 2, "the messages in Junk after one was moved into INBOX on request");
    yield* ask((blocks) => blocks.remove(account, id));
    arrive();
    const told = () => eventsOf(cluster, account, "email.received").length;
    yield* visit.within(SOON, "a message after the end of a block is not announced", () => told() > 0);
    yield* visit.wait(SOON);
    visit.same([told(), junk().length, mail.mailbox("INBOX").messages.length], [1, 2, 2], "arrivals beside a block");
  });
