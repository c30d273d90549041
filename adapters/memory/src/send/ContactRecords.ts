import { addressKey } from "@postern/core/mail";
import { type Contact, ContactRecords, type SentScan } from "@postern/core/send";
import { Effect, HashMap, Layer } from "effect";
import { isAfter } from "../store/is-after.ts";
import { Memory } from "../store/Memory.ts";

const keyOf = ({ account, address }: Pick<Contact, "account" | "address">) => `${account} ${addressKey(address)}`;

/** Contacts, kept in memory. */
export const layer = Layer.effect(
  ContactRecords,
  Effect.gen(function* () {
    const { cell } = yield* Memory;
    const contacts = yield* cell("contacts", HashMap.empty<string, Contact>());
    const scans = yield* cell("sent_scans", HashMap.empty<string, SentScan>());
    const ofAccount = (all: HashMap.HashMap<string, Contact>, account: string) =>
      [...HashMap.values(all)].filter((contact) => contact.account === account);

    return ContactRecords.of({
      search: (account, text, after, limit) =>
        Effect.map(contacts.get, (all) =>
          ofAccount(all, account)
            .filter(
              (contact) =>
                contact.forgottenAt === null &&
                foldContact(contact.name, contact.address).includes(fold(text)) &&
                isAfter({ createdAt: contact.lastWrittenAt, id: contact.id }, after),
            )
            .toSorted((a, b) => b.lastWrittenAt - a.lastWrittenAt || (a.id < b.id ? -1 : 1))
            .slice(0, limit),
        ),
      find: (account, keys) =>
        Effect.map(Effect.andThen(contacts.lock(keys.map((key) => `${account} ${key}`)), contacts.get), (all) => {
          const wanted = new Set(keys);
          return ofAccount(all, account).filter(({ address }) => wanted.has(addressKey(address)));
        }),
      save: (saved) =>
        contacts.modify((all) => [
          undefined,
          saved.reduce((map, contact) => {
            const known = HashMap.get(map, keyOf(contact));
            return HashMap.set(
              map,
              keyOf(contact),
              known._tag === "Some" ? { ...contact, id: known.value.id } : contact,
            );
          }, all),
        ]),
      forget: (account, id, at) =>
        contacts.modify((all) => {
          const found = ofAccount(all, account).find((one) => one.id === id && one.forgottenAt === null);
          return found === undefined
            ? [false, all]
            : [true, HashMap.set(all, keyOf(found), { ...found, forgottenAt: at })];
        }),
      findScan: (account) => Effect.map(scans.get, HashMap.get(account as string)),
      saveScan: (account, scan) => scans.modify((all) => [undefined, HashMap.set(all, account as string, scan)]),
      erase: (account) =>
        Effect.andThen(
          contacts.modify((all) => [undefined, HashMap.filter(all, (contact) => contact.account !== account)]),
          scans.modify((all) => [undefined, HashMap.remove(all, account as string)]),
        ),
    });
  }),
);

const fold = (text: string): string => text.normalize("NFC").toLowerCase();

const foldContact = (name: string, address: string): string => fold(`${name} ${address}`);
