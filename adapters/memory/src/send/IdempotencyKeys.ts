import { IdempotencyKeys, type IdempotencyRecord } from "@postern/core/send";
import { Effect, HashMap, Layer, Option } from "effect";
import { Memory } from "../store/Memory.ts";

/** Idempotency keys, kept in memory. */
export const layer = Layer.effect(
  IdempotencyKeys,
  Effect.gen(function* () {
    const { cell } = yield* Memory;
    const records = yield* cell("idempotency keys", HashMap.empty<string, IdempotencyRecord>());
    const nameOf = (account: string, key: string) => JSON.stringify([account, key]);

    return IdempotencyKeys.of({
      find: (account, key) => Effect.map(records.get, HashMap.get(nameOf(account, key))),
      take: (record, expired) =>
        records.modify((all) => {
          const name = nameOf(record.account, record.key);
          const isFree = Option.match(HashMap.get(all, name), {
            onNone: () => true,
            onSome: ({ createdAt }) => createdAt <= expired,
          });
          return isFree ? [true, HashMap.set(all, name, record)] : [false, all];
        }),
      answer: (outgoingId, answer) =>
        records.modify((all) => [
          undefined,
          HashMap.map(all, (record) =>
            record.outgoingId === outgoingId && record.answer === null ? { ...record, answer } : record,
          ),
        ]),
      forget: (before, limit) =>
        records.modify((all) => {
          const old = [...HashMap.entries(all)].filter(([, { createdAt }]) => createdAt <= before).slice(0, limit);
          return [
            old.length,
            HashMap.removeMany(
              all,
              old.map(([name]) => name),
            ),
          ];
        }),
      erase: (account) =>
        records.modify((all) => [undefined, HashMap.filter(all, (record) => record.account !== account)]),
    });
  }),
);
