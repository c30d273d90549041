import { checkerOf } from "../shared/neighbours.ts";
import { messageFields, messageRules, queryFields, searchFields } from "./rules.ts";

/** Checks what a listing or a search is asked for. */
export const checkSearch = checkerOf(searchFields, messageRules.search);

/** Checks the query of a batch. */
export const checkQuery = checkerOf(queryFields, messageRules.query);

/** Checks the ids of a request. */
export const checkMessage = checkerOf(messageFields);

const { unread, flagged, answered, folderId } = messageFields;

/** The fields of a change. */
export const changeFields = { unread, flagged, answered, folderId };

/** Checks the change of a message. */
export const checkChange = checkerOf(changeFields, messageRules.change);
