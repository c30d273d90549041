import { Context, type Effect, type Option } from "effect";
import type { AccountId, StoreUnavailable } from "../../shared/index.ts";
import type { ListPlace } from "../../shared/neighbours.ts";
import type { Contact, SentScan } from "../contacts/Contact.ts";

/** The store of the people to whom accounts wrote (spec 12.5). */
export class ContactRecords extends Context.Service<
  ContactRecords,
  {
    /**
     * Returns contacts that are not forgotten and whose name or address contains the text regardless of case, most
     * recently written to first. With `after`, only contacts after this place, whose `at` is `lastWrittenAt`.
     */
    readonly search: (
      account: AccountId,
      text: string,
      after: ListPlace | undefined,
      limit: number,
    ) => Effect.Effect<ReadonlyArray<Contact>, StoreUnavailable>;
    /**
     * Returns the contacts with these addresses in the form of `addressKey`, including forgotten ones. Within a transaction, they are
     * not forgotten before the transaction ends.
     */
    readonly find: (
      account: AccountId,
      keys: ReadonlyArray<string>,
    ) => Effect.Effect<ReadonlyArray<Contact>, StoreUnavailable>;
    /** Inserts contacts, or replaces contacts of the same account and address, which keep their id. */
    readonly save: (contacts: ReadonlyArray<Contact>) => Effect.Effect<void, StoreUnavailable>;
    /** Marks a contact as forgotten; false if the account has no such contact, or it is already forgotten. */
    readonly forget: (account: AccountId, id: string, at: number) => Effect.Effect<boolean, StoreUnavailable>;
    readonly findScan: (account: AccountId) => Effect.Effect<Option.Option<SentScan>, StoreUnavailable>;
    readonly saveScan: (account: AccountId, scan: SentScan) => Effect.Effect<void, StoreUnavailable>;
    readonly erase: (account: AccountId) => Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/send/ports/ContactRecords") {}
