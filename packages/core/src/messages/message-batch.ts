import { Effect, Schema, Struct } from "effect";
import type { InputInvalid } from "../shared/index.ts";
import { checkerOf } from "../shared/neighbours.ts";
import { changeFields, checkLabels } from "./check-messages.ts";
import type { LabelInvalid } from "./errors.ts";
import type { MessageAction } from "./MessageAction.ts";
import { messageFields, messageRules, queryFields } from "./rules.ts";
import type { SearchRequest } from "./search/SearchRequest.ts";

const checkBatch = checkerOf(
  {
    ids: messageFields.ids,
    query: Schema.Struct(Struct.map(queryFields, Schema.optional)).check(messageRules.query),
    change: Schema.Struct(Struct.map(changeFields, Schema.optional)).check(messageRules.change),
    delete: Schema.Literals(["trash", "permanent"]),
  },
  messageRules.batch,
);

/** The messages of a batch request and the action on them. */
interface WrittenBatch {
  readonly ids?: ReadonlyArray<string> | undefined;
  readonly query?: Omit<SearchRequest, "q"> | undefined;
  readonly change?:
    | {
        readonly unread?: boolean | undefined;
        readonly flagged?: boolean | undefined;
        readonly answered?: boolean | undefined;
        readonly addLabels?: ReadonlyArray<string> | undefined;
        readonly removeLabels?: ReadonlyArray<string> | undefined;
        readonly folderId?: string | undefined;
      }
    | undefined;
  readonly delete?: "trash" | "permanent" | undefined;
}

/** A batch: the messages, by their ids or by a query, and the action on these messages. */
interface MessageBatch {
  readonly messages:
    | { readonly _tag: "Ids"; readonly ids: ReadonlyArray<string> }
    | { readonly _tag: "Query"; readonly query: SearchRequest };
  readonly action: MessageAction;
}

/** Returns the batch from a request; fails with all faults of the request. */
export const messageBatchOf = Effect.fnUntraced(function* (
  written: WrittenBatch,
): Effect.fn.Return<MessageBatch, InputInvalid | LabelInvalid> {
  yield* checkBatch(written);
  const { ids, query = {}, change } = written;
  if (change !== undefined) yield* checkLabels(change, "change.");
  return {
    messages: ids === undefined ? { _tag: "Query", query } : { _tag: "Ids", ids },
    action: change === undefined ? { _tag: written.delete === "permanent" ? "Destroy" : "Trash" } : changeOf(change),
  };
});

const changeOf = ({
  unread,
  flagged,
  answered,
  addLabels,
  removeLabels,
  folderId,
}: NonNullable<WrittenBatch["change"]>): MessageAction => ({
  _tag: "Change",
  flags: { unread, flagged, answered, addLabels, removeLabels },
  folderId,
});
