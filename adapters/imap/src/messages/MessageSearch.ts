import { MailServerError } from "@postern/core/mail";
import { MessageSearch, SearchCharsetRefused, type SearchCriteria } from "@postern/core/messages";
import { Array as Arrays, Effect, Layer } from "effect";
import type { ImapFlow } from "imapflow";
import { attachmentsOf } from "../reading/attachments.ts";
import { labelsKnown } from "../reading/labels.ts";
import { command } from "../connection/command.ts";
import { fetchSummaries } from "../reading/fetch-summaries.ts";
import { ImapConnections } from "../session/ImapConnections.ts";
import type { ImapSettings } from "../connection/ImapOptions.ts";
import { newestNaming } from "../reading/newest-naming.ts";
import { openMailbox } from "../selecting/open-mailbox.ts";
import { openPlace } from "../selecting/open-place.ts";
import { notFoundWhereGone } from "../selecting/not-found-where-gone.ts";
import { findUids } from "../reading/search-uids.ts";
import { searchQuery } from "../reading/search-query.ts";
import { uidSet } from "../wire/uid-set.ts";

/** Messages fetched by one command. */
const AT_ONCE = 500;

/** Messages whose header is read if the server refuses to search header fields. */
const NEWEST = 500;

/** Searches mailboxes over IMAP on the bulk lane (spec 5). */
export const layer = (settings: ImapSettings): Layer.Layer<MessageSearch, never, ImapConnections> =>
  Layer.effect(
    MessageSearch,
    Effect.gen(function* () {
      const connections = yield* ImapConnections;
      const { command: timeout } = settings.timeouts;

      /** Finds messages by their ids if the server refuses to search header fields. */
      const newestNamed = Effect.fnUntraced(function* (client: ImapFlow, criteria: SearchCriteria) {
        const named = yield* newestNaming(client, criteria, NEWEST, timeout);
        const query = searchQuery(client, { ...criteria, related: undefined, messageId: undefined });
        const matches = new Set(query === undefined ? [] : yield* findUids(client, query, timeout));
        return named.filter((uid) => matches.has(uid));
      });

      const matching = Effect.fnUntraced(function* (client: ImapFlow, criteria: SearchCriteria) {
        const query = searchQuery(client, criteria);
        if (query === undefined) return [];
        const hasIds = criteria.related !== undefined || criteria.messageId !== undefined;
        const uids = yield* Effect.catchIf(
          findUids(client, query, timeout),
          ({ reason }) => hasIds && (reason === "busy" || reason === "protocol"),
          () => newestNamed(client, criteria),
        );
        const { hasAttachments, arrivedFrom = -Infinity, arrivedBefore = Infinity } = criteria;
        const isAboutTime = arrivedFrom > -Infinity || arrivedBefore < Infinity;
        if (hasAttachments === undefined && !isAboutTime) return uids;
        // IMAP has no search key for attachments, and none for times but days: both are fetched of each message.
        const wanted = { uid: true, bodyStructure: hasAttachments !== undefined, internalDate: isAboutTime };
        const kept: Array<number> = [];
        for (const some of Arrays.chunksOf(uids, AT_ONCE)) {
          const rows = yield* command(client, "fetch", timeout, () =>
            client.fetchAll(uidSet(some), wanted, { uid: true }),
          );
          for (const { uid, bodyStructure, internalDate } of rows) {
            const arrivedAt = internalDate === undefined ? 0 : new Date(internalDate).getTime();
            if (isAboutTime && !(arrivedAt >= arrivedFrom && arrivedAt < arrivedBefore)) continue;
            if (hasAttachments !== undefined && attachmentsOf(bodyStructure).length > 0 !== hasAttachments) continue;
            kept.push(uid);
          }
        }
        return kept.toSorted((one, other) => one - other);
      });

      return MessageSearch.of({
        find: Effect.fn("MessageSearch.find")(function* (account, path, criteria) {
          const open = connections.hold(account, "bulk", path, (client) =>
            Effect.map(openMailbox(client, path, timeout), ({ uidValidity }) => ({
              client,
              uidValidity: Number(uidValidity),
            })),
          );
          const search = Effect.gen(function* () {
            const { client, uidValidity } = yield* open;
            const uids = yield* matching(client, criteria);
            if (uids.length === 0) return { uidValidity, uids, unread: [] };
            const unseen = new Set(yield* findUids(client, { seen: false }, timeout));
            return { uidValidity, uids, unread: uids.filter((uid) => unseen.has(uid)) };
          });
          return yield* notFoundWhereGone(Effect.scoped(open))(
            Effect.catchIf(Effect.scoped(search), isCharsetRefused, () =>
              Effect.fail(new SearchCharsetRefused({ criteria: beyondAscii(criteria) })),
            ),
          );
        }),
        emailIds: Effect.fn("MessageSearch.emailIds")(function* (account, mailbox, uids) {
          const client = yield* connections.hold(account, "bulk", mailbox.path, Effect.succeed);
          const ids = new Map<number, string>();
          if (!hasEmailIds(client)) return ids;
          yield* openPlace(client, mailbox, timeout);
          for (const some of Arrays.chunksOf(uids, AT_ONCE)) {
            // imapflow adds EMAILID or X-GM-MSGID to each FETCH.
            const rows = yield* command(client, "fetch", timeout, () =>
              client.fetchAll(uidSet(some), { uid: true }, { uid: true }),
            );
            for (const { uid, emailId } of rows) if (emailId !== undefined) ids.set(uid, emailId);
          }
          return ids;
        }, Effect.scoped),
        labels: Effect.fn("MessageSearch.labels")(function* (account, path) {
          const client = yield* connections.hold(account, "bulk", path, Effect.succeed);
          return yield* labelsKnown(client, path, timeout);
        }, Effect.scoped),
        summaries: Effect.fn("MessageSearch.summaries")(function* (account, mailbox, uids) {
          const client = yield* connections.hold(account, "bulk", mailbox.path, (client) =>
            openPlace(client, mailbox, timeout),
          );
          const set = uidSet([...uids].toSorted((one, other) => one - other));
          return yield* fetchSummaries(client, set, "uid", timeout);
        }, Effect.scoped),
      });
    }),
  );

const hasEmailIds = ({ capabilities }: ImapFlow): boolean =>
  capabilities.has("OBJECTID") || capabilities.has("X-GM-EXT-1");

/** Whether the server does not take UTF-8 (RFC 9051, 7.1); imapflow sends it only where the criteria need it. */
const isCharsetRefused = (error: unknown): error is MailServerError =>
  error instanceof MailServerError && /^BADCHARSET\b/i.test(error.detail);

const beyondAscii = (criteria: SearchCriteria): ReadonlyArray<string> =>
  Object.entries(criteria).flatMap(([name, wanted]) => (/[^\0-\x7f]/.test(String(wanted)) ? [name] : []));
