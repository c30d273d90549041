import { Clock, Context, Effect, Layer, Option } from "effect";
import { recordAgentChange } from "../auth/neighbours.ts";
import type { MailboxAccessError } from "../mail/index.ts";
import { type AccountId, Entropy, type InputInvalid, type StoreUnavailable, Transaction } from "../shared/index.ts";
import { checkerOf, type Page, pageOf, type PageRequest } from "../shared/neighbours.ts";
import { type SenderBlock, SenderBlocks } from "../watch/index.ts";
import { WatchStarter } from "../watch/neighbours.ts";
import { BlockNotFound, TooManyBlocks } from "./errors.ts";
import { blockFields } from "./rules.ts";

/** How many senders an account may block. */
const MAX_BLOCKS = 1_000;

const checkBlock = checkerOf(blockFields);

/** Manages the senders whose arrivals are moved to Junk (spec 5.9). */
export class Blocks extends Context.Service<
  Blocks,
  {
    /** Returns a page of the blocks, oldest first. */
    readonly page: (
      account: AccountId,
      request: PageRequest,
    ) => Effect.Effect<Page<SenderBlock>, InputInvalid | StoreUnavailable>;
    /** Blocks a sender and watches the account. If the sender is already blocked, returns the existing block. */
    readonly add: (
      account: AccountId,
      address: string,
    ) => Effect.Effect<SenderBlock, InputInvalid | TooManyBlocks | MailboxAccessError>;
    readonly remove: (
      account: AccountId,
      id: string,
    ) => Effect.Effect<void, InputInvalid | BlockNotFound | StoreUnavailable>;
  }
>()("@postern/core/arrivals/Blocks") {
  static readonly layer = Layer.effect(
    Blocks,
    Effect.gen(function* () {
      const blocks = yield* SenderBlocks;
      const watching = yield* WatchStarter;
      const entropy = yield* Entropy;
      const transaction = yield* Transaction;

      const insert = Effect.fnUntraced(function* (account: AccountId, address: string) {
        const id = `blk_${yield* entropy.id(96)}`;
        const createdAt = yield* Clock.currentTimeMillis;
        yield* watching.resume(account);
        const block = yield* blocks.insert({ id, account, address, createdAt }, MAX_BLOCKS);
        if (Option.isNone(block)) return yield* new TooManyBlocks();
        yield* recordAgentChange("blocks.add", { account, target: block.value.id });
        return block.value;
      }, transaction.run);

      return Blocks.of({
        page: Effect.fn("Blocks.page")((account, request) =>
          Effect.flatMap(blocks.list(account), (all) =>
            pageOf(request, all, ({ createdAt, id }) => ({ at: createdAt, id })),
          ),
        ),
        add: Effect.fn("Blocks.add")(function* (account, address) {
          yield* checkBlock({ address });
          yield* watching.begin(account);
          return yield* insert(account, address);
        }),
        remove: Effect.fn("Blocks.remove")(function* (account, id) {
          yield* checkBlock({ id });
          if (!(yield* blocks.remove(account, id))) return yield* new BlockNotFound();
          yield* recordAgentChange("blocks.remove", { account, target: id });
        }, transaction.run),
      });
    }),
  );
}
