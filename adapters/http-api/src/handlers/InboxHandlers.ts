import { PosternApi } from "@postern/api";
import { Inbox } from "@postern/core/messages";
import { Effect } from "effect";
import { handlerGroup } from "./handler-group.ts";
import { answer } from "../problems/answer.ts";
import { currentAccount } from "../auth/current-principal.ts";
import { answerPage, maxAgeOf } from "../wire/encoded-page.ts";

/** Handlers of the listing operations (spec 5.1). */
export const InboxHandlers = handlerGroup(
  PosternApi,
  "inbox",
  Effect.fn(function* (handlers) {
    const inbox = yield* Inbox;
    return handlers.handleAll({
      list: ({ query: { preview, ...query }, request: { headers } }) =>
        currentAccount.pipe(
          Effect.flatMap((account) =>
            answer(
              inbox.list(account, {
                ...query,
                maxAge: maxAgeOf(headers["cache-control"]),
                previews: preview !== "false",
              }),
              query.folderId === undefined ? "folder" : "folderId",
            ),
          ),
          Effect.map((page) => answerPage(page, headers["if-none-match"])),
        ),
    });
  }),
);
