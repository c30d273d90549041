import { problem } from "./problem.ts";

/** 404: the account has no such block (spec 5.9). */
export class BlockNotFound extends problem<BlockNotFound>()(
  "block_not_found",
  404,
  "Blocked sender not found",
  "The account has no blocked sender with this id. List them with GET /api/settings/blocks.",
) {}

/** 409: the account blocks the maximum number of senders (spec 5.9). */
export class TooManyBlocks extends problem<TooManyBlocks>()(
  "too_many_blocks",
  409,
  "The account blocks too many senders",
  "An account may block 1,000 senders. Delete a block, then add the new one.",
) {}
