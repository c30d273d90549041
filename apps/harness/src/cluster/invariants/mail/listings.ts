import { Inbox, Search, Threads } from "@postern/core/messages";
import type { AccountId } from "@postern/core/shared";
import { Context, Effect } from "effect";
import type { Cluster } from "../../Cluster.ts";
import type { Invariant } from "../../Invariant.ts";
import type { Visit } from "../../Visit.ts";
import { textOf } from "../../world/accounts.ts";
import { ARCHIVE } from "../../world/folders.ts";

/** The number of messages in a folder, and on a page. */
const MESSAGES = 7;
const LIMIT = 2;

type Page = {
  readonly emails: ReadonlyArray<{ readonly id: string; readonly message: { readonly uid: number } }>;
  readonly nextCursor: string | null;
};
type Read = (cursor?: string) => Effect.Effect<Page, unknown>;

/**
 * A listing shows the present messages of the folder, regardless of what a node knew of them. Cursors lead to each
 * message that stays, once, regardless of the messages that another client deletes between two pages. A conversation
 * has every message that refers to it, in any folder. [S5.1-5] [S5.1-7] [S5.4-2]
 */
export const listings: Invariant = {
  name: "listings",
  watch: (cluster) => ({
    calm: (visit) =>
      Effect.gen(function* () {
        yield* pageThrough(visit, cluster);
        yield* recreateInbox(visit, cluster);
        yield* conversation(visit, cluster);
      }),
  }),
};

const readers = (visit: Visit, account: AccountId): ReadonlyArray<readonly [name: string, read: Read]> => [
  [
    "listing",
    (cursor) =>
      Effect.map(
        visit.ask("list", (services) =>
          Context.get(services, Inbox).list(account, { folder: ARCHIVE, limit: LIMIT, cursor }),
        ),
        ({ page }) => page,
      ),
  ],
  [
    "search",
    (cursor) =>
      visit.ask("search", (services) =>
        Context.get(services, Search).list(account, { folder: ARCHIVE, from: "friend", limit: LIMIT, cursor }),
      ),
  ],
  [
    "search by date",
    (cursor) =>
      visit.ask("search by date", (services) =>
        Context.get(services, Search).list(account, {
          folder: ARCHIVE,
          from: "friend",
          order: "date",
          limit: LIMIT,
          cursor,
        }),
      ),
  ],
];

/** Another client deletes a message between two pages: the last one of a page, or one that is not listed yet. */
const pageThrough = (visit: Visit, cluster: Cluster) =>
  Effect.gen(function* () {
    const account = yield* visit.signUp("paging");
    const mail = cluster.mail.account(account);
    for (const [name, read] of readers(visit, account)) {
      for (const older of [0, 1, 3]) {
        const folder = mail.create(ARCHIVE);
        for (let n = 1; n <= MESSAGES; n++) folder.append(textOf(`<${n}@far.test>`, account), cluster.timeline.now);
        let page = yield* read();
        const shown = page.emails.map(({ message }) => message.uid);
        const deleted = shown.at(-1)! - older;
        folder.expunge([deleted]);
        while (page.nextCursor !== null && shown.length <= 2 * MESSAGES) {
          page = yield* read(page.nextCursor);
          shown.push(...page.emails.map(({ message }) => message.uid));
        }
        const all = Array.from({ length: MESSAGES }, (_, n) => MESSAGES - n);
        const promised = all.filter((uid) => uid !== deleted || older === 0);
        visit.same(shown, promised, `what the pages of a ${name} show while another client deletes ${deleted}`);
        mail.delete(ARCHIVE);
      }
    }
  });

/** INBOX gets a new UIDVALIDITY, and its messages get UIDs that other messages had before. */
const recreateInbox = (visit: Visit, cluster: Cluster) =>
  Effect.gen(function* () {
    const account = yield* visit.signUp("recreated");
    const mail = cluster.mail.account(account);
    for (const n of [1, 2, 3, 4]) mail.mailbox("INBOX").append(textOf(`<${n}@far.test>`, account), visit.now);
    const list = visit.ask("list", (services) => Context.get(services, Inbox).list(account, {}));
    for (const uids of [[], [1, 2]]) {
      mail.mailbox("INBOX").expunge(uids);
      if (uids.length > 0) mail.recreate("INBOX");
      const promised = mail.mailbox("INBOX").messages.map(({ summary }) => summary.subject);
      // Normally every node has listed INBOX after these requests.
      for (let times = 0; times < 2 * cluster.size; times++) {
        const { emails } = (yield* list).page;
        const subjects = emails.map(({ message }) => message.subject);
        visit.same(subjects, promised.toReversed(), `the subjects in INBOX after ${uids.length} were deleted`);
      }
    }
  });

/** Each message refers only to the previous one, which is in another folder. */
const conversation = (visit: Visit, cluster: Cluster) =>
  Effect.gen(function* () {
    const account = yield* visit.signUp("conversing");
    const mail = cluster.mail.account(account);
    mail.create(ARCHIVE);
    const folders = ["INBOX", ARCHIVE, "Sent"];
    folders.forEach((path, n) => {
      const before = n === 0 ? "" : `In-Reply-To: <part-${n - 1}@far.test>\r\n`;
      const text = `${before}${new TextDecoder().decode(textOf(`<part-${n}@far.test>`, account))}`;
      mail.mailbox(path).append(new TextEncoder().encode(text), cluster.timeline.now - 60_000 + n * 1_000);
    });
    const { page } = yield* visit.ask("list", (services) => Context.get(services, Inbox).list(account, {}));
    const found = yield* visit.ask("conversation", (services) =>
      Context.get(services, Threads).list(account, page.emails[0]!.id),
    );
    visit.same(
      found.emails.map(({ message }) => message.messageId),
      folders.map((_, n) => `<part-${n}@far.test>`),
      "the messages of a conversation",
    );
  });
