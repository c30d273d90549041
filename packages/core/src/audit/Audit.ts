import { Clock, Context, Duration, Effect, Layer, Option } from "effect";
import {
  type AccountId,
  accountIdOf,
  Entropy,
  type InputInvalid,
  OpaqueIds,
  type StoreUnavailable,
} from "../shared/index.ts";
import { checkerOf, type Page, type PageRequest, readPage } from "../shared/neighbours.ts";
import type { AuditedOperation, AuditEntry } from "./AuditEntry.ts";
import { AuditEntries } from "./ports/AuditEntries.ts";
import { auditFields } from "./rules.ts";

/** Records an operation with its account and the id of the changed record or sent message. */
type RecordOperation = (
  operation: AuditedOperation,
  about: { readonly account?: AccountId | null; readonly target?: string },
) => Effect.Effect<void, StoreUnavailable>;

/** Records the operations of the current request under the name of its sender; null outside of requests, such as in a worker. */
export const AuditTrail = Context.Reference<RecordOperation | null>("@postern/core/audit/AuditTrail", {
  defaultValue: () => null,
});

/** Records an operation of the current request. Call it in the transaction of the change, so that change and entry are stored together. */
export const recordOperation: RecordOperation = (operation, about) =>
  Effect.flatMap(AuditTrail, (record) => record?.(operation, about) ?? Effect.void);

/** How long entries are kept. */
const KEPT = Duration.days(90);

const checkSearch = checkerOf(auditFields);

/** Which entries to list. */
interface AuditSearch extends PageRequest {
  /** The id of a service key, or `admin`. */
  readonly key?: string | undefined;
  /** The id or the address of an account. */
  readonly account?: string | undefined;
  readonly operation?: AuditedOperation | undefined;
}

/** The entries that a reader may see: the entries of `key`, or the entries about `account`; all entries if both are null. */
interface AuditReader {
  readonly key: string | null;
  readonly account: AccountId | null;
}

/** The sender of a request. */
type Sender = Pick<AuditEntry, "key" | "application">;

/** Records which changes and sends each sender made (spec 8.7). Reads are not recorded, because each would then need a write. */
export class Audit extends Context.Service<
  Audit,
  {
    /** Returns an `AuditTrail` that records the operations of a sender. */
    readonly trailOf: (sender: Sender) => RecordOperation;
    /** Returns a page of the entries that a reader sees, newest first. */
    readonly page: (
      search: AuditSearch,
      reader: AuditReader,
    ) => Effect.Effect<Page<AuditEntry>, InputInvalid | StoreUnavailable>;
    /** Deletes up to `limit` entries that are too old; returns the number deleted. */
    readonly forgetOld: (limit: number) => Effect.Effect<number, StoreUnavailable>;
  }
>()("@postern/core/audit/Audit") {
  static readonly layer = Layer.effect(
    Audit,
    Effect.gen(function* () {
      const entries = yield* AuditEntries;
      const entropy = yield* Entropy;
      const ids = yield* OpaqueIds;

      /** Returns the id of the account that a search names, even if the account no longer exists. */
      const accountNamed = (named: string) =>
        named.includes("@") ? Option.match(accountIdOf(named), { onNone: () => named, onSome: ids.accountId }) : named;

      /** Returns the filter for the entries that the reader may see; undefined if no entry can match. */
      const filterOf = (search: AuditSearch, reader: AuditReader) => {
        const { key = null, operation = null } = search;
        const account = search.account === undefined ? null : accountNamed(search.account);
        const ownAccount = reader.account === null ? null : ids.accountId(reader.account);
        return mayBoth(key, reader.key) && mayBoth(account, ownAccount)
          ? { key: key ?? reader.key, account: account ?? ownAccount, operation }
          : undefined;
      };

      return Audit.of({
        trailOf: ({ key, application }) =>
          Effect.fn("Audit.record")(function* (operation, { account = null, target = null }) {
            yield* entries.insert({
              id: `aud_${yield* entropy.id(96)}`,
              createdAt: yield* Clock.currentTimeMillis,
              operation,
              key,
              application,
              account: account === null ? null : ids.accountId(account),
              target,
            });
          }),
        page: Effect.fn("Audit.page")(function* (search, reader) {
          yield* checkSearch(search);
          const filter = filterOf(search, reader);
          return yield* readPage(
            search,
            ({ createdAt, id }: AuditEntry) => ({ at: createdAt, id }),
            (after, limit) => (filter === undefined ? Effect.succeed([]) : entries.list(filter, after, limit)),
          );
        }),
        forgetOld: (limit) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) => entries.removeOld(now - Duration.toMillis(KEPT), limit)),
      });
    }),
  );
}

/** Whether two conditions on a field can both hold; null accepts any value. */
const mayBoth = (one: string | null, other: string | null): boolean => one === null || other === null || one === other;
