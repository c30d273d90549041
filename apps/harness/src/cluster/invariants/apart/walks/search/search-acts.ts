import { Search } from "@postern/core/messages";
import { Context, Effect } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { Visit } from "../../../../Visit.ts";
import { FOLDERS, idsOfMail } from "../../../mail/known-mail.ts";
import type { Act } from "../walk.ts";
import { drawSearch, drawWrongSearches, type SearchRequest } from "./drawn-searches.ts";
import { idsOf, type SearchedMail, unreadOf } from "./SearchedMail.ts";

/** The most pages of a search. */
const MOST_PAGES = 80;

/** Searches with random criteria; each is compared with the messages that match. */
export const searchActs = (
  visit: Visit,
  { random }: Cluster,
  mail: SearchedMail,
  idOf: (folder: string) => string,
): ReadonlyArray<Act> => {
  const { account } = mail;
  const ask = (request: SearchRequest) =>
    visit.ask("search", (services) => Context.get(services, Search).list(account, request));
  const draw = (isAny = false) => {
    // A search of everything has several pages, of results in each folder.
    const search = isAny
      ? { request: { larger: 1 }, folder: null, holds: () => true }
      : drawSearch(random, mail.all, idOf);
    const order = random.pick(["folder", "date"] as const);
    const limit = random.between(1, 5);
    const name = JSON.stringify({ ...search.request, order, limit });
    return { ...search, name, order, limit, request: { ...search.request, order } };
  };

  const whole = Effect.gen(function* () {
    const { request, holds, order, name, limit } = draw();
    const promised = mail.found(holds, order);
    const found = yield* ask({ ...request, limit: 200 });
    visit.same(idsOfMail(found.emails), idsOf(promised), `the results of ${name}`);
    for (const entry of found.emails) mail.check(entry);
    const number = random.between(1, 5);
    const page = yield* ask({ ...request, limit, page: number });
    const shown = promised.slice((number - 1) * limit, number * limit);
    visit.same(
      [idsOfMail(page.emails), page.page, page.limit, page.total, page.unread, page.pages, page.incomplete],
      [idsOf(shown), number, limit, promised.length, unreadOf(promised), Math.ceil(promised.length / limit), null],
      `page ${number} of ${name}`,
    );
    const { q, order: _, ...query } = request;
    if (q !== undefined || order === "date" || Object.keys(query).length === 0) return;
    const ids = yield* visit.ask("ids", (services) => Context.get(services, Search).ids(account, query));
    visit.same(
      ids,
      found.emails.map(({ id }) => id),
      `the messages of a batch by ${name}`,
    );
  });

  /** Reads a search by cursors, while other programs change messages. */
  const whileChanging = Effect.gen(function* () {
    const { request, holds, order, name, limit } = draw();
    const before = idsOf(mail.found(holds, order));
    const touched = new Set<string>();
    const shown: Array<string> = [];
    for (let cursor: string | undefined, parts = 0; parts < MOST_PAGES; parts++) {
      const page = yield* ask({ ...request, limit, cursor });
      const promised = mail.found(holds, order);
      visit.same(
        [page.total, page.unread, page.limit, page.incomplete],
        [promised.length, unreadOf(promised), limit, null],
        `the counts of ${name}`,
      );
      for (const entry of page.emails) mail.check(entry);
      shown.push(...page.emails.map(({ message }) => message.messageId ?? ""));
      if (page.nextCursor === null) break;
      visit.same(page.emails.length, limit, `the results on a page of ${name} that is not the last`);
      cursor = page.nextCursor;
      if (random.chance(0.4)) for (const id of mail.change()) touched.add(id);
    }
    visit.same(shown.length, new Set(shown).size, `the number of results of ${name}, each once`);
    visit.same(
      shown.filter((id) => !touched.has(id)),
      before.filter((id) => !touched.has(id)),
      `the results of ${name} that stayed`,
    );
  });

  /** Reads a search by cursors, while the server searches some folders too slowly. */
  const whileSlow = Effect.gen(function* () {
    const { request, folder, holds, order, name, limit } = draw(random.chance(0.5));
    const where = folder === null ? FOLDERS : [folder];
    /** The results that are due next: of all folders or, by date, of the merged ones. */
    let [merged, from, offset]: [ReadonlyArray<string> | null, number, number] = [null, 0, 0];
    const shown: Array<string> = [];
    for (let cursor: string | undefined, parts = 0; parts < MOST_PAGES; parts++) {
      if (parts > MOST_PAGES / 2) mail.speedUp();
      else
        for (const one of random.some(where, random.pick([0, 1, 1])))
          mail.slowDown(one, !mail.slow.has(one) && random.chance(0.6));
      const answer = yield* Effect.result(ask({ ...request, limit, cursor }));
      const slow = where.filter((one) => mail.slow.has(one));
      const isBlocked = order === "date" && merged !== null && offset > 0 && merged.some((one) => mail.slow.has(one));
      if (answer._tag === "Failure") {
        const { failure } = answer;
        const reason = failure._tag === "MailServerError" ? failure.reason : failure._tag;
        // Folders are searched one after another, beginning with the first of the folders that are merged.
        const needed = order === "folder" ? where : merged !== null && offset > 0 ? merged : [where[from]!];
        const isDue = needed.some((one) => mail.slow.has(one));
        visit.same([reason, isDue], ["timeout", true], `a page of ${name} while ${slow.join()} is slow`);
        continue;
      }
      const { emails, incomplete, total, unread, nextCursor } = answer.success;
      visit.expect(
        !isBlocked,
        `a page of ${name} is answered although ${slow.join()} is slow, whose results it merges`,
      );
      const unsearched = incomplete?.folders.map(({ path }) => path) ?? [];
      visit.same(incomplete?.unsearched ?? 0, unsearched.length, `the number of unsearched folders of ${name}`);
      visit.expect(
        slow.every((one) => unsearched.includes(one)),
        `${name} names ${unsearched.join()}, not ${slow.join()}`,
      );
      visit.expect(slow.length > 0 || incomplete === null, `${name} is incomplete although no folder is slow`);
      const counted = mail.found((one) => holds(one) && !unsearched.includes(one.folder), order);
      visit.same(
        [total, unread],
        [counted.length, unreadOf(counted)],
        `the counts of ${name} without ${unsearched.join()}`,
      );
      if (order === "folder") merged = where;
      else if (merged === null) {
        const end = where.findIndex((one, n) => n >= from && unsearched.includes(one));
        merged = where.slice(from, end === -1 ? where.length : end);
      }
      const due: ReadonlyArray<string> = merged;
      const promised = idsOf(mail.found((one) => holds(one) && due.includes(one.folder), order));
      const next = promised.slice(offset, offset + (order === "date" ? limit : emails.length));
      visit.same(idsOfMail(emails), next, `the next results of ${name} while ${slow.join()} is slow`);
      for (const entry of emails) mail.check(entry);
      shown.push(...next);
      offset += next.length;
      if (slow.length === 0)
        visit.expect(emails.length === limit || nextCursor === null || order === "date", `a page of ${name} is short`);
      if (order === "date" && offset >= promised.length) [from, merged, offset] = [from + due.length, null, 0];
      if (nextCursor === null) break;
      cursor = nextCursor;
    }
    mail.speedUp();
    const all = idsOf(mail.found(holds, order));
    visit.same(shown.toSorted(), all.toSorted(), `all results of ${name}`);
  });

  return [
    { name: "search", weight: 4, run: whole },
    { name: "search while other programs change messages", weight: 2, run: whileChanging },
    { name: "search while folders are slow", weight: 3, run: whileSlow },
    { name: "another program changes messages", weight: 2, run: Effect.sync(() => void mail.change()) },
    {
      name: "search for what cannot be",
      weight: 2,
      run: Effect.gen(function* () {
        for (const [request, promised] of drawWrongSearches(random, idOf)) {
          const refused = visit.tagOf("search", (services) => Context.get(services, Search).list(account, request));
          visit.same(yield* refused, promised, `a search of ${JSON.stringify(request)}`);
        }
        const { request: other, order } = draw();
        const { nextCursor } = yield* ask({ ...other, limit: 1 });
        if (nextCursor === null) return;
        const wrong = visit.tagOf("search", (services) =>
          Context.get(services, Search).list(account, {
            ...other,
            cursor: nextCursor,
            order: order === "date" ? "folder" : "date",
          }),
        );
        visit.same(yield* wrong, "CursorMalformed", "a cursor of the other order");
      }),
    },
  ];
};
