import { type Conversation, type FoundPage, PosternApi } from "@postern/api";
import { type FolderEntry, Search, Threads } from "@postern/core/messages";
import { Effect } from "effect";
import { handlerGroup } from "./handler-group.ts";
import { answer } from "../problems/answer.ts";
import { currentAccount } from "../auth/current-principal.ts";
import { emailOf } from "../wire/email-of.ts";
import { listing } from "../wire/listing.ts";

/** Handlers of the search operations (spec 5.4). */
export const SearchHandlers = handlerGroup(
  PosternApi,
  "search",
  Effect.fn(function* (handlers) {
    const search = yield* Search;
    const threads = yield* Threads;
    return handlers.handleAll({
      search: ({ query: { preview, unread, flagged, hasAttachments, ...rest } }) =>
        currentAccount.pipe(
          Effect.flatMap((account) =>
            answer(
              search.list(account, {
                ...rest,
                previews: preview !== "false",
                unread: truth(unread),
                flagged: truth(flagged),
                hasAttachments: truth(hasAttachments),
              }),
              rest.folderId !== undefined ? "folderId" : rest.folder !== undefined ? "folder" : "q",
            ),
          ),
          Effect.map(({ incomplete, ...page }) =>
            listing<typeof FoundPage.Type>({
              ok: true,
              ...page,
              ...ofFolder(page.folder),
              ...(incomplete !== null && { incomplete }),
              emails: page.emails.map(wireOf),
            }),
          ),
        ),
      labels: ({ query }) =>
        currentAccount.pipe(
          Effect.flatMap((account) => answer(search.labels(account, query))),
          Effect.map(({ items, nextCursor }) => ({
            ok: true as const,
            data: items.map((name) => ({ name })),
            nextCursor,
          })),
        ),
      thread: ({ params: { id }, query: { include } }) =>
        currentAccount.pipe(
          Effect.flatMap((account) => answer(threads.list(account, id, include))),
          Effect.map(({ emails, incomplete }) =>
            listing<typeof Conversation.Type>({
              ok: true,
              ...ofFolder(null),
              page: 1,
              limit: emails.length,
              total: emails.length,
              unread: emails.filter(({ message }) => message.unread).length,
              pages: 1,
              nextCursor: null,
              ...(incomplete !== null && { incomplete }),
              emails: emails.map((entry) =>
                entry.newText === undefined ? wireOf(entry) : { ...wireOf(entry), newText: entry.newText },
              ),
            }),
          ),
        ),
    });
  }),
);

const wireOf = (entry: FolderEntry) => emailOf(entry, { id: entry.folderId, path: entry.path });

const ofFolder = (folder: { readonly id: string; readonly path: string } | null) => ({
  folder: folder?.path ?? null,
  folderId: folder?.id ?? null,
});

const truth = (flag: "true" | "false" | undefined): boolean | undefined =>
  flag === undefined ? undefined : flag === "true";
