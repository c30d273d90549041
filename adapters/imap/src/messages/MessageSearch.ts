import { type MailboxAccessError } from "@postern/core/mail";
import { type FoundUids, MessageSearch, SearchCharsetRefused } from "@postern/core/messages";
import type { AccountId } from "@postern/core/shared";
import { Effect, Layer, Queue, Stream } from "effect";
import { askAlone } from "./ask-alone.ts";
import { listLabels } from "../reading/labels.ts";
import { hasEmailIds } from "../reading/email-ids.ts";
import { arrivalRequest, emailIdRequest, summaryRequest } from "../visiting/rows-request.ts";
import { labelRequest, searchRequest } from "../visiting/search-request.ts";
import { askEachMailbox, type MailboxRequests } from "../visiting/ask-each-mailbox.ts";
import { ImapConnections } from "../session/ImapConnections.ts";
import { MessageStructures } from "../session/MessageStructures.ts";
import type { ImapSettings } from "../connection/ImapOptions.ts";

type FindError = MailboxAccessError | SearchCharsetRefused;

/** Searches mailboxes over IMAP on the bulk lane (spec 5). */
export const layer = (settings: ImapSettings): Layer.Layer<MessageSearch, never, ImapConnections | MessageStructures> =>
  Layer.effect(
    MessageSearch,
    Effect.gen(function* () {
      const connections = yield* ImapConnections;
      const structures = yield* MessageStructures;
      const { command: timeout } = settings.timeouts;

      const alone = askAlone(connections, timeout);

      /** Returns the answers of the mailboxes in their order. */
      const askAll = Effect.fnUntraced(function* <T extends { readonly path: string }, A, E>(
        account: AccountId,
        asked: ReadonlyArray<T>,
        requests: MailboxRequests<T, A, E>,
      ) {
        const answers = new Map<T, A>();
        yield* askEachMailbox(connections, account, asked, requests, timeout, (one, answer) =>
          answers.set(one, answer),
        );
        return asked.map((one) => answers.get(one)!);
      });

      return MessageSearch.of({
        find: (account, paths, criteria) =>
          Stream.callback((found) => {
            const asked = paths.map((path) => ({ path }));
            const requests: MailboxRequests<(typeof asked)[number], FoundUids | null, FindError> = {
              together: (client, { path }) => searchRequest(client, path, criteria),
              alone: ({ path }) => alone.find(account, path, criteria),
              gone: null,
            };
            return askEachMailbox(connections, account, asked, requests, timeout, ({ path }, uids) =>
              Queue.offerUnsafe(found, [path, uids] as const),
            ).pipe(Effect.andThen(Queue.end(found)));
          }),
        emailIds: Effect.fn("MessageSearch.emailIds")(function* (account, asked) {
          const [first] = asked;
          if (first === undefined) return [];
          const client = yield* Effect.scoped(connections.hold(account, "bulk", first.path, Effect.succeed));
          if (!hasEmailIds(client)) return asked.map(() => new Map<number, string>());
          return yield* askAll(account, asked, {
            together: emailIdRequest,
            alone: (mailbox) => alone.emailIds(account, mailbox),
            gone: new Map<number, string>(),
          });
        }),
        arrivals: (account, asked) =>
          askAll(account, asked, {
            together: arrivalRequest,
            alone: (mailbox) => alone.arrivals(account, mailbox),
            gone: new Map<number, number>(),
          }),
        labels: Effect.fn("MessageSearch.labels")(function* (account, paths) {
          const asked = paths.map((path) => ({ path }));
          const labels = yield* askAll(account, asked, {
            together: (client, { path }) => labelRequest(client, path),
            gone: [],
            alone: ({ path }) =>
              connections.hold(account, "bulk", path, Effect.succeed).pipe(
                Effect.flatMap((client) => listLabels(client, path, timeout)),
                Effect.scoped,
                Effect.catchTag(["FolderNotFound", "FolderNotSelectable"], () => Effect.succeed([])),
              ),
          });
          return labels.flat();
        }),
        summaries: Effect.fn("MessageSearch.summaries")(function* (account, asked) {
          const filled = asked.filter(({ uids }) => uids.length > 0);
          const found = yield* askAll(account, filled, {
            together: (client, mailbox) => summaryRequest(client, mailbox, structures),
            alone: (mailbox) => alone.summaries(account, mailbox),
            gone: [],
          });
          return asked.map((mailbox) => found[filled.indexOf(mailbox)] ?? []);
        }),
      });
    }),
  );
