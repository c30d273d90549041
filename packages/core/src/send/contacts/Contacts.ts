import { Clock, Context, Duration, Effect, Layer, Option } from "effect";
import { recordAgentChange } from "../../auth/neighbours.ts";
import { Folders } from "../../folders/index.ts";
import { addressKey, type MailboxAccessError, type MessageSummary } from "../../mail/index.ts";
import { MailboxReader } from "../../messages/index.ts";
import { type AccountId, Entropy, type InputInvalid, type StoreUnavailable, Transaction } from "../../shared/index.ts";
import { checkerOf, type Page, type PageRequest, readPage } from "../../shared/neighbours.ts";
import { ContactNotFound } from "../errors.ts";
import { ContactRecords } from "../ports/ContactRecords.ts";
import { contactFields } from "../rules.ts";
import type { Contact, SentScan } from "./Contact.ts";
import { peopleIn, remember, type WrittenTo } from "./remember-contacts.ts";

const DEFAULT_LIMIT = 20;
/** The number of messages of Sent read in one step, and the time for which a request reads older messages. */
const STEP = 500;
const READ_TIME = Duration.seconds(5);

type People = ReadonlyMap<string, WrittenTo>;

const checkContact = checkerOf(contactFields);

/** A filter for the contacts to return. */
interface ContactRequest extends PageRequest {
  readonly query?: string | undefined;
}

/** The people to whom an account wrote, from all its mail in Sent (spec 12.5). */
export class Contacts extends Context.Service<
  Contacts,
  {
    /**
     * Returns contacts, most recently written to first. The first page reads new messages in Sent, and for a few
     * seconds older messages that were not read yet; later requests continue.
     */
    readonly search: (
      account: AccountId,
      request: ContactRequest,
    ) => Effect.Effect<Page<Contact>, InputInvalid | MailboxAccessError>;
    /** Forgets a contact until the account writes to it again. */
    readonly forget: (
      account: AccountId,
      id: string,
    ) => Effect.Effect<void, InputInvalid | ContactNotFound | StoreUnavailable>;
  }
>()("@postern/core/send/contacts/Contacts") {
  static readonly layer = Layer.effect(
    Contacts,
    Effect.gen(function* () {
      const records = yield* ContactRecords;
      const folders = yield* Folders;
      const reader = yield* MailboxReader;
      const entropy = yield* Entropy;
      const transaction = yield* Transaction;

      const rememberOne = Effect.fnUntraced(function* (account: AccountId, known: Contact | undefined, one: WrittenTo) {
        if (known !== undefined) return remember(known, one);
        const { name, address, at } = one;
        return { id: `con_${yield* entropy.id(96)}`, account, name, address, lastWrittenAt: at, forgottenAt: null };
      });

      /** Stores the people of messages, together with the range of Sent that is read. */
      const keep = Effect.fnUntraced(function* (account: AccountId, people: People, scan: SentScan) {
        const found = yield* records.find(account, [...people.keys()]);
        const known = new Map(found.map((contact) => [addressKey(contact.address), contact] as const));
        const changed = yield* Effect.forEach(people, ([key, one]) => rememberOne(account, known.get(key), one));
        yield* records.save(changed.filter((contact) => contact !== null));
        yield* records.saveScan(account, scan);
      }, transaction.run);

      /** Reads Sent from its newest message downwards: first the arrivals since the last time, then older messages. */
      const read = Effect.fnUntraced(function* (account: AccountId, path: string) {
        const until = (yield* Clock.currentTimeMillis) + Duration.toMillis(READ_TIME);
        const view = yield* reader.view(account, path);
        const scanned = yield* records.findScan(account);
        const before = Option.filter(scanned, ({ uidValidity }) => uidValidity === view.uidValidity);
        const below = Option.match(before, { onNone: () => 1, onSome: (scan) => scan.below });
        let from = Option.match(before, { onNone: () => Infinity, onSome: (scan) => scan.from });
        const news: Array<MessageSummary> = [];
        let last = view.total;
        for (; last > 0 && Option.isSome(before); last -= STEP) {
          const some = yield* view.messages(Math.max(1, last - STEP + 1), last);
          news.push(...some.filter(({ uid }) => uid >= below));
          if (some.some(({ uid }) => uid < below)) break;
        }
        const highest = news.reduce((most, { uid }) => Math.max(most, uid), below - 1);
        let scan = { uidValidity: view.uidValidity, from, below: highest + 1 };
        if (news.length > 0) yield* keep(account, peopleIn(news), scan);
        for (last = from === Infinity ? view.total : yield* view.positionBelow(from); last > 0; last -= STEP) {
          const some = yield* view.messages(Math.max(1, last - STEP + 1), last);
          from = last <= STEP ? 1 : Math.min(from, ...some.map(({ uid }) => uid));
          scan = { ...scan, from, below: Math.max(scan.below, ...some.map(({ uid }) => uid + 1)) };
          yield* keep(account, peopleIn(some), scan);
          if ((yield* Clock.currentTimeMillis) >= until) return;
        }
      }, Effect.scoped);

      /** Returns the path of Sent. If no request has listed the folders of the account yet, this one lists them. */
      const sentPath = Effect.fnUntraced(function* (account: AccountId) {
        const stored = Option.getOrUndefined(yield* folders.findStored(account, "sent"));
        return stored?.path ?? (yield* folders.resolve(account, "sent")).path;
      });

      return Contacts.of({
        search: Effect.fn("Contacts.search")(function* (account, request) {
          yield* checkContact(request);
          const { query = "", cursor, limit = DEFAULT_LIMIT } = request;
          // If the folder is gone, the contacts that were read from it stay.
          if (cursor === undefined) {
            yield* sentPath(account).pipe(
              Effect.flatMap((path) => read(account, path)),
              Effect.catchTag(["FolderNotFound", "FolderAmbiguous", "FolderNotSelectable"], () => Effect.void),
            );
          }
          return yield* readPage(
            { cursor, limit },
            ({ lastWrittenAt, id }: Contact) => ({ at: lastWrittenAt, id }),
            (after, most) => records.search(account, query, after, most),
          );
        }),
        forget: Effect.fn("Contacts.forget")(function* (account, id) {
          yield* checkContact({ id });
          if (!(yield* records.forget(account, id, yield* Clock.currentTimeMillis)))
            return yield* new ContactNotFound();
          yield* recordAgentChange("contacts.remove", { account, target: id });
        }, transaction.run),
      });
    }),
  );
}
