import { CreationRecords, type CreationRecord } from "@postern/core/creations";
import { Effect, HashMap, Layer, Option } from "effect";
import { Memory } from "../store/Memory.ts";

/** Keys of creations, kept in memory. */
export const layer = Layer.effect(
  CreationRecords,
  Effect.gen(function* () {
    const { cell } = yield* Memory;
    const records = yield* cell("creation records", HashMap.empty<string, CreationRecord>());
    const nameOf = (caller: string, key: string) => JSON.stringify([caller, key]);

    /** Stores a record if `mayReplace` accepts the existing record with the same key. */
    const put = (record: CreationRecord, mayReplace: (known: Option.Option<CreationRecord>) => boolean) =>
      records.modify((all) => {
        const name = nameOf(record.caller, record.key);
        return mayReplace(HashMap.get(all, name)) ? [true, HashMap.set(all, name, record)] : [false, all];
      });

    return CreationRecords.of({
      find: (caller, key) => Effect.map(records.get, HashMap.get(nameOf(caller, key))),
      take: (record, expired) =>
        put(record, Option.match({ onNone: () => true, onSome: ({ createdAt }) => createdAt <= expired })),
      replace: (record, token) =>
        put(
          record,
          Option.exists(({ lease }) => lease?.token === token),
        ),
      forget: (before, limit) =>
        records.modify((all) => {
          const old = [...HashMap.entries(all)].filter(([, { createdAt }]) => createdAt <= before).slice(0, limit);
          const names = old.map(([name]) => name);
          return [names.length, HashMap.removeMany(all, names)];
        }),
      erase: (account) =>
        records.modify((all) => [undefined, HashMap.filter(all, (record) => record.account !== account)]),
    });
  }),
);
