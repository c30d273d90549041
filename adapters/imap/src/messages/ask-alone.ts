import { MailServerError } from "@postern/core/mail";
import { SearchCharsetRefused, type SearchCriteria } from "@postern/core/messages";
import type { AccountId } from "@postern/core/shared";
import { Effect } from "effect";
import { fetchArrivals } from "../reading/arrivals.ts";
import { fetchEmailIds } from "../reading/email-ids.ts";
import { type MailboxUids } from "../visiting/rows-request.ts";
import { foundUids, UNSEEN } from "../visiting/search-request.ts";
import { fetchSummaries } from "../reading/fetch-summaries.ts";
import { searchMailbox } from "../reading/search-mailbox.ts";
import { findUids } from "../reading/search-uids.ts";
import { ImapConnections } from "../session/ImapConnections.ts";
import { openMailbox } from "../selecting/open-mailbox.ts";
import { openPlace } from "../selecting/open-place.ts";
import { failIfGone } from "../selecting/fail-if-gone.ts";
import { uidSet } from "../wire/uid-set.ts";

/** Queries one mailbox, with a command for each step. The result for a mailbox that is gone has no messages. */
export const askAlone = (connections: ImapConnections["Service"], timeout: number) => {
  const find = Effect.fnUntraced(
    function* (account: AccountId, path: string, criteria: SearchCriteria) {
      const open = connections.hold(account, "bulk", path, (client) =>
        Effect.map(openMailbox(client, path, timeout), ({ uidValidity }) => ({
          client,
          uidValidity: Number(uidValidity),
        })),
      );
      const search = Effect.gen(function* () {
        const { client, uidValidity } = yield* open;
        const uids = yield* searchMailbox(client, criteria, timeout);
        const unseen = uids.length === 0 ? [] : yield* findUids(client, UNSEEN, timeout);
        return foundUids(uidValidity, uids, unseen);
      });
      return yield* failIfGone(Effect.scoped(open))(
        Effect.catchIf(Effect.scoped(search), isCharsetRefused, () =>
          Effect.fail(new SearchCharsetRefused({ criteria: beyondAscii(criteria) })),
        ),
      );
    },
    Effect.catchTag(["FolderNotFound", "FolderNotSelectable"], () => Effect.succeed(null)),
  );

  const emailIds = Effect.fnUntraced(
    function* (account: AccountId, mailbox: MailboxUids) {
      const client = yield* connections.hold(account, "bulk", mailbox.path, (client) =>
        openPlace(client, mailbox, timeout),
      );
      return yield* fetchEmailIds(client, mailbox.uids, timeout);
    },
    Effect.scoped,
    Effect.catchTag("MessageNotFound", () => Effect.succeed(new Map<number, string>())),
  );

  const arrivals = Effect.fnUntraced(
    function* (account: AccountId, mailbox: MailboxUids) {
      const client = yield* connections.hold(account, "bulk", mailbox.path, (client) =>
        openPlace(client, mailbox, timeout),
      );
      return yield* fetchArrivals(client, mailbox.uids, timeout);
    },
    Effect.scoped,
    Effect.catchTag("MessageNotFound", () => Effect.succeed(new Map<number, number>())),
  );

  const summaries = Effect.fnUntraced(
    function* (account: AccountId, mailbox: MailboxUids) {
      const client = yield* connections.hold(account, "bulk", mailbox.path, (client) =>
        openPlace(client, mailbox, timeout),
      );
      return yield* fetchSummaries(client, uidSet(mailbox.uids), "uid", timeout);
    },
    Effect.scoped,
    Effect.catchTag("MessageNotFound", () => Effect.succeed([])),
  );

  return { find, emailIds, arrivals, summaries };
};

/** Returns whether the server refused UTF-8 (RFC 9051, 7.1), which imapflow sends only if the criteria need it. */
const isCharsetRefused = (error: unknown): error is MailServerError =>
  error instanceof MailServerError && /^BADCHARSET\b/i.test(error.detail);

const beyondAscii = (criteria: SearchCriteria): ReadonlyArray<string> =>
  Object.entries(criteria).flatMap(([name, wanted]) => (/[^\0-\x7f]/.test(JSON.stringify(wanted) ?? "") ? [name] : []));
