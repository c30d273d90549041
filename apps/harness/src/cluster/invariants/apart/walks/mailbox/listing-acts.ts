import { Inbox, type InboxPage, Messages, Search } from "@postern/core/messages";
import { Context, Effect } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { Visit } from "../../../../Visit.ts";
import { SECOND } from "../../durations.ts";
import type { Act } from "../walk.ts";
import { type BoxModel, PLACES, type PlaceName, textOf } from "./BoxModel.ts";
import { searchAct } from "./search-act.ts";

type Request = Parameters<Inbox["Service"]["list"]>[1];

/** Requests that no listing answers, with their errors. */
const WRONG: ReadonlyArray<readonly [Request, string]> = [
  [{ limit: 0 }, "InputInvalid"],
  [{ limit: -1 }, "InputInvalid"],
  [{ limit: 1.5 }, "InputInvalid"],
  [{ page: 0 }, "InputInvalid"],
  [{ page: 2 ** 31 + 1 }, "InputInvalid"],
  [{ folder: "inbox", folderId: "inbox" }, "InputInvalid"],
  [{ folder: "No such folder" }, "FolderNotFound"],
  [{ folderId: "Archive" }, "FolderNotFound"],
  [{ folder: "Shell" }, "FolderNotSelectable"],
  [{ cursor: "nothing" }, "CursorMalformed"],
];

/** Acts that read what the model promises: listings of a folder and of the account, searches, and single messages. */
export const listingActs = (visit: Visit, { random }: Cluster, model: BoxModel): ReadonlyArray<Act> => {
  const { account } = model;
  const list = (request: Request) =>
    visit.ask("list", (services) => Context.get(services, Inbox).list(account, request));
  const check = (page: InboxPage, place: PlaceName, limit: number, above: number, where: string) => {
    const all = model.in(place);
    visit.same(
      page.emails.map(({ message }) => message.subject),
      all.slice(above, above + Math.min(200, limit)).map(({ subject }) => subject),
      `the messages of ${where}`,
    );
    for (const entry of page.emails) model.check(entry, where);
    visit.same(
      [page.folder.id, page.folder.path, page.limit, page.total, page.unread, page.pages],
      [
        model.ids.get(place) ?? page.folder.id,
        place,
        Math.min(200, limit),
        all.length,
        all.filter(({ unread }) => unread).length,
        Math.ceil(all.length / Math.min(200, limit)),
      ],
      `id, path, limit, total, unread and pages of ${where}`,
    );
    model.ids.set(place, page.folder.id);
    visit.same(
      page.nextCursor !== null,
      above + limit < all.length && page.emails.length > 0,
      `whether ${where} has a next page`,
    );
  };
  const nameOf = (place: PlaceName): Request => {
    const id = model.ids.get(place);
    return random.pick<Request>([
      { folder: place },
      { folder: id ?? place },
      id === undefined ? { folder: place } : { folderId: id },
    ]);
  };
  const cursors: Array<{
    readonly place: PlaceName;
    readonly cursor: string;
    readonly uid: number;
    readonly uidValidity: number;
  }> = [];
  return [
    {
      name: "list a folder",
      weight: 4,
      run: Effect.gen(function* () {
        const place = random.pick(PLACES);
        const limit = random.pick([1, 2, 3, 20, 200, 201]);
        const number = random.between(1, 4);
        // Only answers about INBOX may have an age.
        const maxAge = place === "INBOX" ? undefined : random.pick([undefined, 60 * SECOND]);
        const previews = random.chance(0.3);
        const request = { ...nameOf(place), limit, page: number, maxAge, previews };
        const both = yield* visit.ask("list twice", (services) => {
          const once = Context.get(services, Inbox).list(account, request);
          return Effect.all([once, once]);
        });
        for (const { page, age } of both) {
          visit.same([page.page, age], [number, 0], "the number and the age of a page");
          check(page, place, limit, (number - 1) * Math.min(200, limit), `page ${number} of ${place} by ${limit}`);
          for (const { preview, message } of page.emails)
            visit.same(
              preview ?? null,
              previews ? `the text of ${message.subject}` : null,
              `the preview of ${message.subject}`,
            );
        }
        const { nextCursor, emails, folder } = both[1].page;
        if (nextCursor !== null)
          cursors.push({ place, cursor: nextCursor, uid: emails.at(-1)!.message.uid, uidValidity: folder.uidValidity });
      }),
    },
    {
      name: "list by an earlier cursor",
      weight: 3,
      isPossible: () => cursors.length > 0,
      run: Effect.gen(function* () {
        const { place, cursor, uid, uidValidity } = random.pick(cursors.slice(-4))!;
        const limit = random.between(1, 4);
        const where = random.pick([undefined, place, ...PLACES]);
        const request = { cursor, limit, page: 2, ...(where !== undefined && { folder: where }) };
        const answer = yield* Effect.result(list(request));
        if (answer._tag === "Failure") {
          const promised =
            where !== undefined && where !== place
              ? "CursorMalformed"
              : model.mailbox(place).uidValidity === uidValidity
                ? "a page"
                : "CursorStale";
          visit.same(answer.failure._tag, promised, `a page by cursor of ${place} in ${where}`);
          return;
        }
        visit.same(
          [where ?? place, uidValidity],
          [place, model.mailbox(place).uidValidity],
          "the folder and UIDVALIDITY of a page by cursor",
        );
        const { page } = answer.success;
        check(
          page,
          place,
          limit,
          model.in(place).filter((one) => model.uidOf(one)! >= uid).length,
          `${place} by cursor`,
        );
        const last = page.emails.at(-1)?.message.uid;
        if (page.nextCursor !== null) cursors.push({ place, cursor: page.nextCursor, uid: last!, uidValidity });
      }),
    },
    {
      name: "list with max-age",
      weight: 2,
      run: Effect.gen(function* () {
        const seconds = random.pick([1, 5, 60, 3600]);
        const request = { limit: 50, maxAge: seconds * SECOND };
        const pause = random.pick([0, 2, 8]) * SECOND;
        const { page, age } = yield* visit.ask("list twice", (services) =>
          Effect.gen(function* () {
            const inbox = Context.get(services, Inbox);
            yield* inbox.list(account, { limit: 50 });
            yield* Effect.sleep(pause);
            return yield* inbox.list(account, request);
          }),
        );
        const text = JSON.stringify(page.emails.map(({ message }) => [message.subject, ...textOf(message)]));
        const since = visit.now - Math.min(60, seconds) * SECOND - SECOND;
        const isFresh = text === model.inbox || model.inboxes.some((one) => one.text === text && one.until >= since);
        visit.expect(
          isFresh && age <= Math.min(60, seconds) * SECOND,
          `an answer of ${age} ms is older than ${seconds} s: ${text}`,
        );
      }),
    },
    {
      name: "list the account",
      weight: 2,
      run: Effect.gen(function* () {
        const isAll = random.chance(0.5);
        const limit = random.pick([1, 3, 200]);
        const promised = PLACES.slice(0, isAll ? 4 : 2).flatMap((place) =>
          model.in(place).map(({ subject }) => [place, subject]),
        );
        const found: Array<ReadonlyArray<string>> = [];
        for (let cursor: string | undefined, parts = 0; parts < 100; parts++) {
          const request = { limit, cursor, folders: isAll ? "*,junk,trash" : random.pick([undefined, "*"]) };
          const part = yield* visit.ask("list all", (services) =>
            Context.get(services, Inbox).listAccount(account, request),
          );
          for (const entry of part.emails) {
            model.check(entry, "the account");
            found.push([entry.path, entry.message.subject]);
          }
          visit.expect(part.emails.length <= limit, "a part of the account has more messages than its limit");
          if (part.nextCursor === null) break;
          cursor = part.nextCursor;
        }
        visit.same(found, promised, "the messages of the account");
      }),
    },
    searchAct(visit, random, model),
    {
      name: "read a message",
      weight: 2,
      isPossible: () => model.messages.some(({ id }) => id !== null),
      run: Effect.gen(function* () {
        const one = random.pick(model.messages.filter(({ id }) => id !== null))!;
        const read = yield* visit.ask("read", (services) => Context.get(services, Messages).read(account, one.id!));
        visit.same(read.folder.path, one.place, `the folder of ${one.subject}`);
        model.check({ id: read.id, message: read.summary }, "a read message");
        const text = read.parsed._tag === "Success" ? read.parsed.success.text?.trim() : undefined;
        visit.same(text, `the text of ${one.subject}`, `the text of ${one.subject}`);
      }),
    },
    {
      name: "open ended and foreign ids",
      run: Effect.gen(function* () {
        for (const id of random.some([...model.ended, "unknown"], 2)) {
          const tag = yield* visit.tagOf("read", (services) => Context.get(services, Messages).read(account, id));
          visit.same(tag, "MessageNotFound", "an id that ended");
        }
        const [request, promised] = random.pick(WRONG)!;
        const tag = visit.tagOf("list", (services) => Context.get(services, Inbox).list(account, request));
        visit.same(yield* tag, promised, `a listing of ${JSON.stringify(request)}`);
        const search = visit.tagOf("search", (services) => Context.get(services, Search).list(account, request));
        visit.same(yield* search, promised, `a search of ${JSON.stringify(request)}`);
      }),
    },
  ];
};
