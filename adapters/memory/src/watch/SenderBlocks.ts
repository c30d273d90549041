import { addressKey } from "@postern/core/mail";
import { type SenderBlock, SenderBlocks } from "@postern/core/watch";
import { Effect, HashMap, Layer, Option } from "effect";
import { Memory } from "../store/Memory.ts";

/** Blocked senders, kept in memory. */
export const layer = Layer.effect(
  SenderBlocks,
  Effect.gen(function* () {
    const { cell } = yield* Memory;
    const blocks = yield* cell("sender_blocks", HashMap.empty<string, SenderBlock>());
    const ofAccount = (all: HashMap.HashMap<string, SenderBlock>, account: string) =>
      [...HashMap.values(all)]
        .filter((block) => block.account === account)
        .toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));

    return SenderBlocks.of({
      list: (account) => Effect.map(blocks.get, (all) => ofAccount(all, account)),
      findBlocked: (account, keys) =>
        Effect.map(blocks.get, (all) => {
          const known = new Set(ofAccount(all, account).map(({ address }) => addressKey(address)));
          return new Set(keys.filter((key) => known.has(key)));
        }),
      insert: (block, most) =>
        blocks.modify((all) => {
          const key = addressKey(block.address);
          const own = ofAccount(all, block.account);
          const known = own.find(({ address }) => addressKey(address) === key);
          if (known !== undefined) return [Option.some(known), all];
          return own.length >= most ? [Option.none(), all] : [Option.some(block), HashMap.set(all, block.id, block)];
        }),
      remove: (account, id) =>
        blocks.modify((all) =>
          Option.exists(HashMap.get(all, id), (block) => block.account === account)
            ? [true, HashMap.remove(all, id)]
            : [false, all],
        ),
      erase: (account) =>
        blocks.modify((all) => [undefined, HashMap.filter(all, (block) => block.account !== account)]),
    });
  }),
);
