import { type EmailPage, PosternApi } from "@postern/api";
import { Inbox } from "@postern/core/messages";
import { Effect } from "effect";
import { HttpApiBuilder } from "effect/http-api";
import { answer } from "../answer.ts";
import { currentAccount } from "../current-account.ts";
import { emailOf } from "../email-of.ts";
import { listing } from "../listing.ts";

/** Handlers of the listing operations (spec 5.1). */
export const InboxHandlers = HttpApiBuilder.group(
  PosternApi,
  "inbox",
  Effect.fn(function* (handlers) {
    const inbox = yield* Inbox;
    return handlers.handleAll({
      list: ({ query }) =>
        currentAccount.pipe(
          Effect.flatMap((account) => answer(inbox.list(account, query))),
          Effect.map(({ folder, emails, ...page }) =>
            listing<typeof EmailPage.Type>({
              ok: true,
              folder: folder.path,
              ...page,
              emails: emails.map((entry) => emailOf(entry, folder.path)),
            }),
          ),
        ),
    });
  }),
);
