import { Search } from "@postern/core/messages";
import type { AccountId } from "@postern/core/shared";
import { Context, Effect } from "effect";
import type { Cluster } from "../../Cluster.ts";
import type { Invariant } from "../../Invariant.ts";
import type { Visit } from "../../Visit.ts";
import { ARCHIVE } from "../../world/folders.ts";
import { idsOfMail, inOrder, type KnownMail, knownMail, matches } from "./known-mail.ts";
import { searchesOf } from "./search-requests.ts";

type Request = Parameters<Search["Service"]["list"]>[1];

/**
 * A search finds exactly the messages that match all its criteria, in the promised order, with their counts, whether the
 * criteria are fields or one line, and whether the results are read as a whole, by pages or by cursors.
 * [S5.4-2] [S5.4-3] [S5.4-5] [S5.4-6] [S5.4-9] [S5.4-10] [S5.4-11] [S5.4-12] [S5.5-7]
 */
export const searches: Invariant = {
  name: "searches",
  watch: (cluster) => ({ calm: (visit) => searchMail(visit, cluster) }),
};

const searchMail = (visit: Visit, cluster: Cluster) =>
  Effect.gen(function* () {
    const account = yield* visit.signUp("searching");
    const all = knownMail(account, visit.now);
    const mail = cluster.mail.account(account);
    mail.create(ARCHIVE);
    for (const { folder, raw, arrivedAt, flags } of all) mail.mailbox(folder).append(raw, arrivedAt, flags);
    const ask = (request: Request) =>
      visit.ask("search", (services) => Context.get(services, Search).list(account, request));
    const refusal = (request: Request) =>
      visit.tagOf("search", (services) => Context.get(services, Search).list(account, request));

    for (const { name, request, promised } of searchesOf(all, cluster)) {
      const found = yield* ask(request);
      visit.same(
        idsOfMail(found.emails),
        promised.map(({ id }) => id),
        `the results of ${name}`,
      );
      const counts = [promised.length, promised.filter(({ flags }) => !flags.includes("\\Seen")).length];
      visit.same([found.total, found.unread], counts, `the counts of ${name}`);
    }
    const limit = cluster.random.between(1, 4);
    for (const order of ["folder", "date"] as const) {
      const promised = inOrder(all, order).map(({ id }) => id);
      const pages = yield* Effect.forEach([1, 2, 3], (page) => ask({ larger: 1, order, page, limit }));
      visit.same(
        pages.flatMap(({ emails }) => idsOfMail(emails)),
        promised.slice(0, 3 * limit),
        `pages by ${order}`,
      );
      visit.same(
        pages.map(({ page, pages: count }) => [page, count]),
        [1, 2, 3].map((n) => [n, Math.ceil(all.length / limit)]),
        "the numbers of pages",
      );
      const shown: Array<string | null> = [];
      let cursor: string | undefined;
      do {
        const { emails, nextCursor } = yield* ask({ larger: 1, order, limit, cursor });
        shown.push(...idsOfMail(emails));
        cursor = nextCursor ?? undefined;
      } while (cursor !== undefined && shown.length <= all.length);
      visit.same(shown, promised, `what the cursors of a search by ${order} lead to`);
      const other = order === "date" ? "folder" : "date";
      const { nextCursor } = yield* ask({ larger: 1, order, limit });
      visit.same(
        yield* refusal({ larger: 1, order: other, limit, cursor: nextCursor! }),
        "CursorMalformed",
        "a cursor of the other order",
      );
    }
    for (const q of ["colour:red", "is:odd", "before:soon", "in:"])
      visit.same(yield* refusal({ q }), "InputInvalid", q);
    visit.same(yield* refusal({ q: "from:anna", from: "anna" }), "InputInvalid", "a criterion that is given twice");
    visit.same(yield* refusal({ folderId: ARCHIVE }), "FolderNotFound", "a name in place of an id");
    visit.same(yield* refusal({ folder: "inbox", folderId: "inbox" }), "InputInvalid", "two folders");
    yield* checkBatch(visit, account, all);
  });

/** A batch whose query has the same criteria finds the same messages. */
const checkBatch = (visit: Visit, account: AccountId, all: ReadonlyArray<KnownMail>) =>
  Effect.gen(function* () {
    const unread = { folder: "INBOX", unread: true };
    const ids = yield* visit.ask("ids", (services) => Context.get(services, Search).ids(account, unread));
    visit.same(ids.length, all.filter((one) => matches(one, unread)).length, "the number of messages of a query");
    const labels = yield* visit.ask("labels", (services) => Context.get(services, Search).labels(account, {}));
    const used = new Set(all.flatMap((one) => one.labels.map((label) => label.toLowerCase())));
    visit.same(
      labels.items.map((label) => label.toLowerCase()),
      [...used].toSorted(),
      "the labels of an account",
    );
  });
