import { addressKey } from "@postern/core/mail";
import { type IdentityRecord, IdentityRecords } from "@postern/core/send";
import { Effect, HashMap, Layer, Option } from "effect";
import { Memory } from "../store/Memory.ts";

/** Identities, kept in memory. */
export const layer = Layer.effect(
  IdentityRecords,
  Effect.gen(function* () {
    const { cell } = yield* Memory;
    const identities = yield* cell("identities", HashMap.empty<string, IdentityRecord>());
    const ofAccount = (all: HashMap.HashMap<string, IdentityRecord>, account: string) =>
      [...HashMap.values(all)]
        .filter((record) => record.account === account)
        .toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));

    return IdentityRecords.of({
      list: (account) => Effect.map(identities.get, (all) => ofAccount(all, account)),
      insert: (record) =>
        identities.modify((all) => {
          const key = addressKey(record.address);
          const isTaken = ofAccount(all, record.account).some(({ address }) => addressKey(address) === key);
          return isTaken ? [false, all] : [true, HashMap.set(all, record.id, record)];
        }),
      update: (record) =>
        identities.modify((all) => [
          undefined,
          HashMap.has(all, record.id) ? HashMap.set(all, record.id, record) : all,
        ]),
      remove: (account, id) =>
        identities.modify((all) =>
          Option.exists(HashMap.get(all, id), (record) => record.account === account)
            ? [true, HashMap.remove(all, id)]
            : [false, all],
        ),
      ofVerification: (hash) =>
        Effect.map(identities.get, (all) =>
          Option.fromUndefinedOr([...HashMap.values(all)].find(({ verification }) => verification?.hash === hash)),
        ),
      erase: (account) =>
        identities.modify((all) => [undefined, HashMap.filter(all, (record) => record.account !== account)]),
    });
  }),
);
