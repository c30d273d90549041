import { Effect } from "effect";
import { keywordOf } from "../mail/index.ts";
import { checkerOf } from "../shared/neighbours.ts";
import { LabelInvalid } from "./errors.ts";
import type { FlagChange } from "./ports/MessageChanges.ts";
import { listingFields } from "./listing/rules.ts";
import { messageFields, messageRules, queryFields, searchFields } from "./rules.ts";

/** Checks the parameters of a listing or a search. */
export const checkSearch = checkerOf(searchFields, messageRules.search);

/** Checks the parameters of a listing of an account. */
export const checkListing = checkerOf(listingFields);

/** Checks the query of a batch. */
export const checkQuery = checkerOf(queryFields, messageRules.query);

/** Checks the ids of a request. */
export const checkMessage = checkerOf(messageFields);

const { unread, flagged, answered, labels, folderId } = messageFields;

/** The fields of a change. */
export const changeFields = { unread, flagged, answered, addLabels: labels, removeLabels: labels, folderId };

/** Checks the change of a message. */
export const checkChange = checkerOf(changeFields, messageRules.change);

/** Fails unless each label of a change is a valid label name; `at` is the path of the change in the request. */
export const checkLabels = (change: FlagChange, at = ""): Effect.Effect<void, LabelInvalid> => {
  const wrong = (["addLabels", "removeLabels"] as const).find((field) =>
    change[field]?.some((label) => keywordOf(label) === null),
  );
  return wrong === undefined ? Effect.void : Effect.fail(new LabelInvalid({ field: `${at}${wrong}` }));
};
