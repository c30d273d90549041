import { blockFields } from "@postern/core/rules";
import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api";
import { Authorization } from "../../auth/Authorization.ts";
import { documented } from "../../document/documented.ts";
import { BlockNotFound, TooManyBlocks } from "../../problems/blocks.ts";
import { MAIL_SERVER_PROBLEMS, StoreUnavailable } from "../../problems/mail-server.ts";
import { InvalidRequest } from "../../problems/requests.ts";
import { Deleted, Instant, NextCursor, Ok, pageQuery } from "../../records/wire.ts";

const Address = blockFields.address.annotate({
  description: "Address of the sender.",
  examples: ["pest@noise.example"],
});
const BlockId = blockFields.id.annotate({ description: "Id of the block.", examples: ["blk_Zb3vN8qLkT0xW5Ra"] });

const BLOCK = { id: "blk_Zb3vN8qLkT0xW5Ra", address: "pest@noise.example", createdAt: "2026-03-02T09:00:00.000Z" };

const Block = Schema.Struct({
  id: BlockId,
  address: Address,
  createdAt: Instant.annotate({ description: "Time of creation." }),
}).annotate({ identifier: "Block", description: "A blocked sender." });

const list = HttpApiEndpoint.get("list", "/", {
  query: pageQuery,
  success: Schema.Struct({
    ok: Ok,
    data: Schema.Array(Block).annotate({ description: "The blocked senders, oldest first." }),
    nextCursor: NextCursor,
  }),
  error: [InvalidRequest, StoreUnavailable],
}).annotateMerge(
  documented({
    scope: "mail:read",
    summary: "List blocked senders",
    description: "Returns the senders whose mail is moved to Junk when it arrives.",
    answer: { ok: true, data: [BLOCK], nextCursor: null },
  }),
);

const add = HttpApiEndpoint.post("add", "/", {
  payload: Schema.Struct({ address: Address }),
  success: Schema.Struct({ ok: Ok, data: Block }),
  error: [TooManyBlocks, ...MAIL_SERVER_PROBLEMS],
}).annotateMerge(
  documented({
    scope: "mail:organize",
    summary: "Add a blocked sender",
    description:
      "Mail from this address that arrives in INBOX from now on is moved to Junk, also while nothing else watches the " +
      "account. A repeat returns the same block.",
    request: { address: BLOCK.address },
    answer: { ok: true, data: BLOCK },
  }),
);

const remove = HttpApiEndpoint.delete("remove", "/:id", {
  params: { id: BlockId },
  success: Schema.Struct({
    ok: Ok,
    data: Schema.Struct({ id: BlockId, deleted: Deleted }).annotate({ description: "The deleted block." }),
  }),
  error: [InvalidRequest, BlockNotFound, StoreUnavailable],
}).annotateMerge(
  documented({
    scope: "mail:organize",
    summary: "Delete a blocked sender",
    description: "New mail of the sender stays in INBOX; earlier mail stays in Junk.",
    answer: { ok: true, data: { id: BLOCK.id, deleted: true } },
  }),
);

/** The blocked senders of an account (spec 5.9). */
export class BlocksGroup extends HttpApiGroup.make("blocks")
  .add(list)
  .add(add)
  .add(remove)
  .prefix("/api/settings/blocks")
  .middleware(Authorization)
  .annotate(OpenApi.Title, "Blocked senders")
  .annotate(OpenApi.Description, "Move the mail of senders to Junk when it arrives.") {}
