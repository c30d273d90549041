import { Contacts, MessageSender } from "@postern/core/send";
import { Context, Effect } from "effect";
import type { Cluster } from "../../Cluster.ts";
import type { Invariant } from "../../Invariant.ts";
import type { Visit } from "../../Visit.ts";

/** A time longer than it takes to send a message and to store its copy; copies have times in seconds. */
const SENT_MILLIS = 3_000;

/**
 * The people to whom an account wrote are listed, the person written to last first. A person who is removed returns
 * when the account writes to the person again, and not with an earlier message. [S12.5-1] [S12.5-2] [S12.5-3]
 */
export const contacts: Invariant = {
  name: "contacts",
  watch: (cluster) => ({ calm: (visit) => checkContacts(visit, cluster) }),
};

const checkContacts = (visit: Visit, cluster: Cluster) =>
  Effect.gen(function* () {
    const [account, other] = [yield* visit.signUp("writing"), yield* visit.signUp("not-writing")];
    const mail = cluster.mail.account(account);
    const ask = <A, E>(use: (all: Contacts["Service"]) => Effect.Effect<A, E>) =>
      visit.ask("contacts", (services) => use(Context.get(services, Contacts)));
    const write = (to: string, cc?: string) =>
      visit
        .ask(`write to ${to}`, (services) =>
          Context.get(services, MessageSender).send(
            account,
            { to, cc, subject: "hello", text: "simulated" },
            undefined,
          ),
        )
        .pipe(Effect.andThen(visit.wait(SENT_MILLIS)));
    /** Another client stores a message in Sent. */
    const store = (to: string, at: number) =>
      Effect.sync(() => {
        const text = `From: ${account}\r\nTo: ${to}\r\nSubject: stored\r\n\r\nsimulated\r\n`;
        mail.mailbox("Sent").append(new TextEncoder().encode(text), at, ["\\Seen"]);
      });
    const expect = (promised: ReadonlyArray<string>, when: string, query?: string) =>
      Effect.map(
        ask((all) => all.search(account, { query })),
        ({ items }) => {
          const found = items.map(({ name, address }) => (name === "" ? address : `${name} <${address}>`));
          visit.same(found, promised, `the people written to ${when}`);
          return items;
        },
      );
    const [ada, ben, cy, dan, eve] = [
      "Ada <ada@far.test>",
      "Ben B <ben@far.test>",
      "cy@far.test",
      "dan@far.test",
      "Eve <eve@far.test>",
    ];
    yield* write(ada!);
    yield* write(cy!);
    yield* write("dan@far.test", ben);
    yield* store(dan!, visit.now + SENT_MILLIS);
    yield* visit.wait(2 * SENT_MILLIS);
    yield* expect([dan!, ben!, cy!, ada!], "at first");
    yield* write(ada!);
    yield* store(eve!, visit.now - 3_600_000);
    yield* store(ben!, visit.now - 7_200_000);
    const known = yield* expect([ada!, dan!, ben!, cy!, eve!], "later");
    yield* expect([ben!], "that a part of a name finds", "N B");
    yield* expect([dan!], "that a part of an address finds", "DAN@");
    const pages = [];
    for (let cursor: string | undefined; ;) {
      const page = yield* ask((all) => all.search(account, { limit: 1, ...(cursor === undefined ? {} : { cursor }) }));
      pages.push(...page.items.map(({ id }) => id));
      if (page.nextCursor === null || pages.length > 2 * known.length) break;
      cursor = page.nextCursor;
    }
    visit.same(
      pages,
      known.map(({ id }) => id),
      "the people on pages of one",
    );
    visit.same((yield* ask((all) => all.search(other, {}))).items.length, 0, "the people of another account");

    const { id } = known.find(({ address }) => address.startsWith("ada"))!;
    const forget = (by: typeof account) =>
      visit.tagOf("forget", (services) => Context.get(services, Contacts).forget(by, id));
    visit.same(yield* forget(other), "ContactNotFound", "removing a person of another account");
    const unread = visit.now;
    yield* visit.wait(SENT_MILLIS);
    visit.same([yield* forget(account), yield* forget(account)], ["Answered", "ContactNotFound"], "removing a person");
    const left = [dan!, ben!, cy!, eve!];
    yield* expect(left, "without one who was removed");
    yield* store(ada!, unread);
    yield* expect(left, "after an earlier message to one who was removed was found");
    yield* visit.wait(SENT_MILLIS);
    yield* write(ada!);
    yield* expect([ada!, ...left], "after the account wrote to one who was removed");
    mail.delete("Sent");
    yield* expect([ada!, ...left], "after Sent was deleted");
  });
