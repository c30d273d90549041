import { type MailboxAccessError, MailServerError } from "@postern/core/mail";
import { type FoundUids, MessageSearch, SearchCharsetRefused, type SearchCriteria } from "@postern/core/messages";
import type { AccountId } from "@postern/core/shared";
import { Effect, Layer, Queue, Stream } from "effect";
import { labelsKnown } from "../reading/labels.ts";
import { fetchEmailIds, hasEmailIds } from "../reading/email-ids.ts";
import { emailIdQuestion, type MailboxUids, summaryQuestion } from "../visiting/rows-question.ts";
import { foundUids, labelQuestion, searchQuestion, UNSEEN } from "../visiting/search-question.ts";
import { fetchSummaries } from "../reading/fetch-summaries.ts";
import { searchMailbox } from "../reading/search-mailbox.ts";
import { findUids } from "../reading/search-uids.ts";
import { askEachMailbox, type Questions } from "../visiting/ask-each-mailbox.ts";
import { ImapConnections } from "../session/ImapConnections.ts";
import { MessageStructures } from "../session/MessageStructures.ts";
import type { ImapSettings } from "../connection/ImapOptions.ts";
import { openMailbox } from "../selecting/open-mailbox.ts";
import { openPlace } from "../selecting/open-place.ts";
import { notFoundWhereGone } from "../selecting/not-found-where-gone.ts";
import { uidSet } from "../wire/uid-set.ts";

type FindError = MailboxAccessError | SearchCharsetRefused;

/** Searches mailboxes over IMAP on the bulk lane (spec 5). */
export const layer = (settings: ImapSettings): Layer.Layer<MessageSearch, never, ImapConnections | MessageStructures> =>
  Layer.effect(
    MessageSearch,
    Effect.gen(function* () {
      const connections = yield* ImapConnections;
      const structures = yield* MessageStructures;
      const { command: timeout } = settings.timeouts;

      const findAlone = Effect.fnUntraced(
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
          return yield* notFoundWhereGone(Effect.scoped(open))(
            Effect.catchIf(Effect.scoped(search), isCharsetRefused, () =>
              Effect.fail(new SearchCharsetRefused({ criteria: beyondAscii(criteria) })),
            ),
          );
        },
        Effect.catchTag(["FolderNotFound", "FolderNotSelectable"], () => Effect.succeed(null)),
      );

      const emailIdsAlone = Effect.fnUntraced(
        function* (account: AccountId, mailbox: MailboxUids) {
          const client = yield* connections.hold(account, "bulk", mailbox.path, (client) =>
            openPlace(client, mailbox, timeout),
          );
          return yield* fetchEmailIds(client, mailbox.uids, timeout);
        },
        Effect.scoped,
        Effect.catchTag("MessageNotFound", () => Effect.succeed(new Map<number, string>())),
      );

      const summariesAlone = Effect.fnUntraced(
        function* (account: AccountId, mailbox: MailboxUids) {
          const client = yield* connections.hold(account, "bulk", mailbox.path, (client) =>
            openPlace(client, mailbox, timeout),
          );
          return yield* fetchSummaries(
            client,
            uidSet(mailbox.uids.toSorted((one, other) => one - other)),
            "uid",
            timeout,
          );
        },
        Effect.scoped,
        Effect.catchTag("MessageNotFound", () => Effect.succeed([])),
      );

      /** Returns the answers of the mailboxes in their order. */
      const askAll = Effect.fnUntraced(function* <T extends { readonly path: string }, A, E>(
        account: AccountId,
        asked: ReadonlyArray<T>,
        questions: Questions<T, A, E>,
      ) {
        const answers = new Map<T, A>();
        yield* askEachMailbox(connections, account, asked, questions, timeout, (one, answer) =>
          answers.set(one, answer),
        );
        return asked.map((one) => answers.get(one)!);
      });

      return MessageSearch.of({
        find: (account, paths, criteria) =>
          Stream.callback((found) => {
            const asked = paths.map((path) => ({ path }));
            const questions: Questions<(typeof asked)[number], FoundUids | null, FindError> = {
              together: (client, { path }) => searchQuestion(client, path, criteria),
              alone: ({ path }) => findAlone(account, path, criteria),
              gone: null,
            };
            return askEachMailbox(connections, account, asked, questions, timeout, ({ path }, uids) =>
              Queue.offerUnsafe(found, [path, uids] as const),
            ).pipe(Effect.andThen(Queue.end(found)));
          }),
        emailIds: Effect.fn("MessageSearch.emailIds")(function* (account, asked) {
          const [first] = asked;
          if (first === undefined) return [];
          const client = yield* Effect.scoped(connections.hold(account, "bulk", first.path, Effect.succeed));
          if (!hasEmailIds(client)) return asked.map(() => new Map<number, string>());
          return yield* askAll(account, asked, {
            together: emailIdQuestion,
            alone: (mailbox) => emailIdsAlone(account, mailbox),
            gone: new Map<number, string>(),
          });
        }),
        labels: Effect.fn("MessageSearch.labels")(function* (account, paths) {
          const asked = paths.map((path) => ({ path }));
          const labels = yield* askAll(account, asked, {
            together: (client, { path }) => labelQuestion(client, path),
            gone: [],
            alone: ({ path }) =>
              connections.hold(account, "bulk", path, Effect.succeed).pipe(
                Effect.flatMap((client) => labelsKnown(client, path, timeout)),
                Effect.scoped,
                Effect.catchTag(["FolderNotFound", "FolderNotSelectable"], () => Effect.succeed([])),
              ),
          });
          return labels.flat();
        }),
        summaries: Effect.fn("MessageSearch.summaries")(function* (account, asked) {
          const filled = asked.filter(({ uids }) => uids.length > 0);
          const found = yield* askAll(account, filled, {
            together: (client, mailbox) => summaryQuestion(client, mailbox, structures),
            alone: (mailbox) => summariesAlone(account, mailbox),
            gone: [],
          });
          return asked.map((mailbox) => found[filled.indexOf(mailbox)] ?? []);
        }),
      });
    }),
  );

/** Whether the server does not take UTF-8 (RFC 9051, 7.1); imapflow sends it only where the criteria need it. */
const isCharsetRefused = (error: unknown): error is MailServerError =>
  error instanceof MailServerError && /^BADCHARSET\b/i.test(error.detail);

const beyondAscii = (criteria: SearchCriteria): ReadonlyArray<string> =>
  Object.entries(criteria).flatMap(([name, wanted]) => (/[^\0-\x7f]/.test(String(wanted)) ? [name] : []));
