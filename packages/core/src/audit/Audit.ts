import { Clock, Context, Duration, Effect, Layer, Option } from "effect";
import {
  type AccountId,
  accountIdOf,
  Entropy,
  type InputInvalid,
  OpaqueIds,
  type StoreUnavailable,
} from "../shared/index.ts";
import { checkerOf, type Page, type PageRequest, readPage, type Worker } from "../shared/neighbours.ts";
import type { AuditedOperation, AuditEntry } from "./AuditEntry.ts";
import { callLines, callOf, knownIds } from "./call-lines.ts";
import { AuditEntries } from "./ports/AuditEntries.ts";
import { AUDITED_CALLS, auditFields } from "./rules.ts";

/** Records an operation with its account and the id of the changed record or sent message, or the ids of several messages. */
type RecordOperation = (
  operation: AuditedOperation,
  about: { readonly account?: AccountId | null; readonly target?: string; readonly ids?: ReadonlyArray<string> },
) => Effect.Effect<void, StoreUnavailable>;

/** Records the operations of the current request under the name of its sender; null outside of requests, such as in a worker. */
export const AuditTrail = Context.Reference<RecordOperation | null>("@postern/core/audit/AuditTrail", {
  defaultValue: () => null,
});

/** Records an operation of the current request. Call it in the transaction of the change, so that change and entry are stored together. */
export const recordOperation: RecordOperation = (operation, about) =>
  Effect.flatMap(AuditTrail, (record) => record?.(operation, about) ?? Effect.void);

/** How long entries of changes and sent messages, and of calls by agents, are kept. */
const KEPT = Duration.days(90);
const CALLS_KEPT = Duration.days(30);

/** The number of calls shown to a person who decides about an agent. */
const CALLS_SHOWN = 20;

const checkSearch = checkerOf(auditFields);

/** A filter for the entries to list. */
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

/** A call of `/mcp` that ended. */
interface EndedCall extends Sender {
  readonly key: string;
  /** The name of the tool, or `list`. */
  readonly tool: string;
  readonly account: AccountId | null;
  /** The values in the arguments and in the result of the call. Only ids of this service are kept. */
  readonly ids: ReadonlyArray<unknown>;
  readonly outcome: string;
}

/**
 * Records the changes and sends of each sender, in the transaction of the change, and the calls of agents, in batches
 * (spec 8.7). Other reads are not recorded, because each would then need a write.
 */
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
    /** Fails if too many lines of a key or grant wait to be written. No call runs without being recorded. */
    readonly checkRoom: (key: string) => Effect.Effect<void, StoreUnavailable>;
    /** Records a call that ended. The line is written with the next batch. */
    readonly recordCall: (call: EndedCall) => Effect.Effect<void>;
    /** Returns the last calls about an account that a key or grant made before `time` (epoch milliseconds), newest first. */
    readonly callsBefore: (
      time: number,
      key: string,
      account: AccountId,
    ) => Effect.Effect<ReadonlyArray<AuditEntry>, StoreUnavailable>;
    /** Writes the lines of calls. */
    readonly worker: Worker;
    /** Deletes up to `limit` changes and up to `limit` calls that are too old; returns whether there may be more. */
    readonly forgetOld: (limit: number) => Effect.Effect<boolean, StoreUnavailable>;
  }
>()("@postern/core/audit/Audit") {
  static readonly layer = Layer.effect(
    Audit,
    Effect.gen(function* () {
      const entries = yield* AuditEntries;
      const entropy = yield* Entropy;
      const ids = yield* OpaqueIds;
      const lines = yield* callLines(entries.insert);

      /** Returns the id of the account that a search names, even if the account no longer exists. */
      const accountNamed = (named: string) =>
        named.includes("@") ? Option.match(accountIdOf(named), { onNone: () => named, onSome: ids.accountId }) : named;

      /** Returns the filter for the entries that the reader may see; undefined if no entry can match. */
      const filterOf = (search: AuditSearch, reader: AuditReader) => {
        const { key = null, operation } = search;
        const account = search.account === undefined ? null : accountNamed(search.account);
        const ownAccount = reader.account === null ? null : ids.accountId(reader.account);
        return mayBoth(key, reader.key) && mayBoth(account, ownAccount)
          ? {
              key: key ?? reader.key,
              account: account ?? ownAccount,
              operations: operation === undefined ? null : [operation],
            }
          : undefined;
      };

      type Told = Omit<AuditEntry, "id" | "createdAt" | "account"> & { readonly account: AccountId | null };

      const entryOf = Effect.fnUntraced(function* ({
        account,
        operation,
        key,
        application,
        target,
        ids: some,
        outcome,
      }: Told) {
        return {
          id: `aud_${yield* entropy.id(96)}`,
          createdAt: yield* Clock.currentTimeMillis,
          operation,
          key,
          application,
          account: account === null ? null : ids.accountId(account),
          target,
          ids: some,
          outcome,
        };
      });

      return Audit.of({
        trailOf: ({ key, application }) =>
          Effect.fn("Audit.record")(function* (operation, { account = null, target = null, ids: some = [] }) {
            const told = { operation, key, application, account, target, ids: some, outcome: "done" };
            yield* entries.insert([yield* entryOf(told)]);
          }),
        checkRoom: lines.checkRoom,
        recordCall: ({ key, application, tool, account, ids: some, outcome }) =>
          Effect.flatMap(
            entryOf({
              operation: callOf(tool),
              key,
              application,
              account,
              target: null,
              ids: knownIds(some),
              outcome,
            }),
            (line) => lines.add(key, line),
          ),
        callsBefore: Effect.fn("Audit.callsBefore")((time, key, account) => {
          const filter = { key, account: ids.accountId(account), operations: AUDITED_CALLS };
          return entries.list(filter, { at: time, id: "" }, CALLS_SHOWN);
        }),
        worker: lines.worker,
        page: Effect.fn("Audit.page")(function* (search, reader) {
          yield* checkSearch(search);
          const filter = filterOf(search, reader);
          return yield* readPage(
            search,
            ({ createdAt, id }: AuditEntry) => ({ at: createdAt, id }),
            (after, limit) => (filter === undefined ? Effect.succeed([]) : entries.list(filter, after, limit)),
          );
        }),
        forgetOld: Effect.fnUntraced(function* (limit) {
          const now = yield* Clock.currentTimeMillis;
          const calls = yield* entries.removeOld(now - Duration.toMillis(CALLS_KEPT), limit, AUDITED_CALLS);
          const all = yield* entries.removeOld(now - Duration.toMillis(KEPT), limit);
          return calls === limit || all === limit;
        }),
      });
    }),
  );
}

/** Returns whether two conditions on a field can both hold; null accepts any value. */
const mayBoth = (one: string | null, other: string | null): boolean => one === null || other === null || one === other;
