import { Context, Effect, Layer, Option, Stream } from "effect";
import { type Account, type AccountDetails, Accounts } from "../accounts/index.ts";
import { Audit, type AuditEntry } from "../audit/index.ts";
import { AccountSessions, type Session } from "../auth/index.ts";
import type { MailEvent } from "../events/index.ts";
import { Identities, type Identity, type JournalEntry, Outbox } from "../send/index.ts";
import { InputInvalid, type StoreUnavailable } from "../shared/index.ts";
import type { Page, PageRequest } from "../shared/neighbours.ts";
import { LiveEvents } from "./LiveEvents.ts";
import { type EndpointView, ownedBy, WebhookEndpoints } from "../webhooks/index.ts";

/** A stored record of an account. */
type KeptRecord =
  | { readonly _tag: "Account"; readonly record: AccountDetails }
  | { readonly _tag: "Session"; readonly record: Session }
  | { readonly _tag: "Identity"; readonly record: Identity }
  | { readonly _tag: "Endpoint"; readonly record: EndpointView }
  | { readonly _tag: "Outgoing"; readonly record: JournalEntry }
  | { readonly _tag: "Event"; readonly record: MailEvent }
  | { readonly _tag: "Operation"; readonly record: AuditEntry };

type Records = Stream.Stream<KeptRecord, StoreUnavailable>;

/** The number of records read at a time; a stream holds no more in memory. */
const AT_ONCE = 50;

/** Streams all pages of a list; reads each page when the consumer needs it. */
const pagesOf = <Item>(
  page: (request: PageRequest) => Effect.Effect<Page<Item>, InputInvalid | StoreUnavailable>,
  keep: (record: Item) => KeptRecord,
): Records =>
  Stream.paginate(undefined as string | undefined, (cursor) =>
    Effect.map(
      Effect.catchIf(page({ cursor, limit: AT_ONCE }), (error) => error instanceof InputInvalid, Effect.die),
      ({ items, nextCursor }) => [items.map(keep), Option.fromNullOr(nextCursor)] as const,
    ),
  );

/**
 * Streams all stored records of an account (spec 10.3), without passwords, tokens and secrets, and without data of
 * other accounts. Files and the contents of messages are not exported, because the mail is in the mailbox.
 */
export class AccountExport extends Context.Service<AccountExport, { readonly of: (account: Account) => Records }>()(
  "@postern/core/lifecycle/AccountExport",
) {
  static readonly layer = Layer.effect(
    AccountExport,
    Effect.gen(function* () {
      const accounts = yield* Accounts;
      const sessions = yield* AccountSessions;
      const identities = yield* Identities;
      const endpoints = yield* WebhookEndpoints;
      const outbox = yield* Outbox;
      const events = yield* LiveEvents;
      const audit = yield* Audit;

      return AccountExport.of({
        of: (account) => {
          const { id } = account;
          const details = Stream.fromEffect(
            Effect.map(accounts.details(account), (record): KeptRecord => ({ _tag: "Account", record })),
          );
          return details.pipe(
            Stream.concat(
              pagesOf(
                (request) => sessions.page(id, request),
                (record) => ({ _tag: "Session", record }),
              ),
            ),
            Stream.concat(
              pagesOf(
                (request) => identities.page(id, request),
                (record) => ({ _tag: "Identity", record }),
              ),
            ),
            Stream.concat(
              pagesOf(
                (request) => endpoints.page(ownedBy(id), request),
                (record) => ({ _tag: "Endpoint", record }),
              ),
            ),
            Stream.concat(
              pagesOf(
                (request) => outbox.page(id, request),
                (record) => ({ _tag: "Outgoing", record }),
              ),
            ),
            Stream.concat(Stream.map(events.kept(id), (record): KeptRecord => ({ _tag: "Event", record }))),
            Stream.concat(
              pagesOf(
                (request) => audit.page(request, { key: null, account: id }),
                (record) => ({ _tag: "Operation", record }),
              ),
            ),
          );
        },
      });
    }),
  );
}
