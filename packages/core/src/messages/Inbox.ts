import { Context, Effect, Layer, Option } from "effect";
import { type FolderAmbiguous, FolderNotFound, FolderNotSelectable, type MailboxAccessError } from "../mail/index.ts";
import { Folders } from "../folders/index.ts";
import type { AccountId, IdScope, InputInvalid } from "../shared/index.ts";
import { checkSearch } from "./check-messages.ts";
import {
  type AccountListing,
  accountListing,
  type AccountListingError,
  type AccountListingRequest,
  listAccount,
} from "./listing/list-account.ts";
import { clampLimit, collect, type Cursor, encodeCursor, pageCount, pageRange, readCursor } from "./page.ts";
import { CursorMalformed, CursorStale } from "./errors.ts";
import type { AgedPage, InboxPage, InboxRequest } from "./InboxPage.ts";
import { withKnownMessages } from "./known-messages.ts";
import { type KnownMessages, PageCache } from "./PageCache.ts";
import { Previews } from "./Previews.ts";
import { pageIds } from "./shown-ids.ts";
import { MailboxReader, type MailboxView } from "./ports/MailboxReader.ts";

/** The maximum age of a page in an answer, in milliseconds. */
const MAX_AGE_MILLIS = 60_000;

type InboxError =
  | InputInvalid
  | MailboxAccessError
  | FolderNotFound
  | FolderAmbiguous
  | FolderNotSelectable
  | CursorMalformed
  | CursorStale;

/** Lists the messages of a folder (spec 5.1), or of all folders (spec 5.7). */
export class Inbox extends Context.Service<
  Inbox,
  {
    readonly list: (account: AccountId, request: InboxRequest) => Effect.Effect<AgedPage, InboxError>;
    /** Lists every message of an account once: folder by folder, in each the newest arrival first. */
    readonly listAccount: (
      account: AccountId,
      request: AccountListingRequest,
    ) => Effect.Effect<AccountListing, AccountListingError>;
  }
>()("@postern/core/messages/Inbox") {
  static readonly layer = Layer.effect(
    Inbox,
    Effect.gen(function* () {
      const folders = yield* Folders;
      const reader = yield* MailboxReader;
      const listing = yield* accountListing;
      const { names } = listing;
      const withIds = pageIds(names);
      const cache = yield* PageCache;
      const previews = yield* Previews;
      /** Copies of kept pages with the previews of all their messages. */
      const previewed = new WeakMap<InboxPage, InboxPage>();

      const withPreviews = Effect.fnUntraced(function* (account: AccountId, page: InboxPage) {
        const known = previewed.get(page);
        if (known !== undefined) return known;
        const { path, uidValidity } = page.folder;
        const found = yield* previews.of(
          account,
          page.emails.map(({ id, message }) => ({ id, message, path, uidValidity })),
        );
        const emails = page.emails.map(({ id, message }) => ({ id, message, preview: found.get(id) ?? null }));
        const whole = { ...page, emails };
        if (emails.every(({ id }) => found.has(id))) previewed.set(page, whole);
        return whole;
      });

      const list = Effect.fn("Inbox.list")(function* (account: AccountId, request: InboxRequest) {
        yield* checkSearch(request);
        const scope = yield* names.scopes.of(account);
        const { page: found, age } = yield* findPage(account, scope, request);
        const page = yield* withIds(account, scope, found);
        return { page: request.previews === true ? yield* withPreviews(account, page) : page, age };
      });

      const findPage = Effect.fnUntraced(function* (account: AccountId, scope: IdScope, request: InboxRequest) {
        const cursor = request.cursor === undefined ? undefined : yield* readCursor(request.cursor);
        const { folderId } = request;
        const wanted = folderId ?? request.folder ?? cursor?.folderId ?? "INBOX";
        const isWanted = ({ id }: { readonly id: string }) => folderId === undefined || id === folderId;
        const isNewest = cursor === undefined && (request.page ?? 1) === 1;
        const newest = (known?: number) => (isNewest ? { count: clampLimit(request.limit), known } : undefined);
        const stored = Option.filter(yield* folders.findStored(account, wanted), isWanted);
        if (Option.isSome(stored)) {
          const { id, key: mailbox, path, uidValidity } = stored.value;
          const read = Effect.fnUntraced(function* (known: KnownMessages | undefined) {
            const highest = known && Math.max(0, ...known.messages.keys());
            const view = yield* reader.view(account, path, newest(highest));
            if (uidValidity !== null && view.uidValidity !== uidValidity) return undefined;
            const messages = known?.uidValidity === view.uidValidity ? known.messages : NO_MESSAGES;
            const page = yield* pageOf(
              scope,
              { id, key: mailbox, path },
              withKnownMessages(view, messages),
              request,
              cursor,
            );
            return { page, state: view.state };
          }, Effect.scoped);
          const key = `${id} ${mailbox} ${request.page} ${request.limit} ${request.cursor} ${scope}`;
          const page = yield* Effect.catchTag(
            cache.page({ account, path, key, maxAge: Math.min(request.maxAge ?? 0, MAX_AGE_MILLIS) }, read),
            "FolderNotFound",
            () => Effect.undefined,
          );
          if (page !== undefined) return page;
        }
        const folder = yield* folders.resolve(account, wanted);
        if (!isWanted(folder)) return yield* new FolderNotFound();
        if (!folder.selectable) return yield* new FolderNotSelectable();
        const page = yield* Effect.scoped(
          Effect.flatMap(reader.view(account, folder.path, newest()), (view) =>
            pageOf(scope, folder, view, request, cursor),
          ),
        );
        return { page, age: 0 };
      });

      const pageOf = Effect.fnUntraced(function* (
        scope: IdScope,
        { id, key, path }: Omit<InboxPage["folder"], "uidValidity">,
        view: MailboxView,
        request: InboxRequest,
        cursor: Cursor | undefined,
      ) {
        if (cursor !== undefined && cursor.folderId !== id) return yield* new CursorMalformed();
        if (cursor !== undefined && (cursor.key !== key || cursor.uidValidity !== view.uidValidity)) {
          return yield* new CursorStale();
        }
        const limit = clampLimit(request.limit);
        const top = cursor === undefined ? pageRange(view.total, request.page ?? 1, limit).last : cursor.position - 1;
        const { messages, position } = yield* collect(view, top, cursor?.uid ?? Infinity, limit);

        const { uidValidity, total, unread } = view;
        const uids = messages.map((message) => message.uid);
        const messageIds = names.ids.messageIds(scope, key, uidValidity, uids);
        const lowest = uids.at(-1);
        return {
          folder: { id, key, path, uidValidity },
          page: cursor === undefined ? (request.page ?? 1) : Math.floor(Math.max(0, total - top) / limit) + 1,
          limit,
          total,
          unread,
          pages: pageCount(total, limit),
          nextCursor:
            position === 1 || lowest === undefined
              ? null
              : encodeCursor({ folderId: id, key, uidValidity, uid: lowest, position }),
          emails: messages.map((message, n) => ({ id: messageIds[n]!, message })),
        };
      });

      return Inbox.of({ list, listAccount: (account, request) => listAccount(listing, account, request) });
    }),
  );
}

const NO_MESSAGES: KnownMessages["messages"] = new Map();
