import { isDay, millisOf } from "../shared/rules.ts";

/** A text that must, or must not, occur in a part of a message. `headers` is From, To, Cc and the subject; `text` is everything. */
export interface SearchTerm {
  readonly field: "from" | "to" | "cc" | "subject" | "headers" | "text";
  readonly text: string;
  readonly isExcluded: boolean;
}

/**
 * The criteria of a search; a message must match all of them (spec 5). Text matches case-insensitively and within
 * words.
 */
export interface SearchCriteria {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly cc?: string | undefined;
  readonly subject?: string | undefined;
  /** The Message-ID, with its angle brackets. */
  readonly messageId?: string | undefined;
  /** A text in From, To, Cc or the subject. */
  readonly headers?: string | undefined;
  /** A text in the header or the body. */
  readonly text?: string | undefined;
  /** Arrived on or after this day: `YYYY-MM-DD` in the mail server's time zone. */
  readonly since?: string | undefined;
  /** Arrived before this day. */
  readonly before?: string | undefined;
  /** Arrived at or after this time, in epoch milliseconds; mail servers compare only whole seconds. */
  readonly arrivedFrom?: number | undefined;
  /** Arrived before this time. */
  readonly arrivedBefore?: number | undefined;
  readonly unread?: boolean | undefined;
  readonly flagged?: boolean | undefined;
  readonly hasAttachments?: boolean | undefined;
  /** Has this label, compared without case. */
  readonly label?: string | undefined;
  /** Larger than this many bytes. */
  readonly larger?: number | undefined;
  readonly smaller?: number | undefined;
  /** A threadId of the mail server, not a derived one. */
  readonly threadId?: string | undefined;
  /** Has or refers to one of these Message-IDs. */
  readonly related?: ReadonlyArray<string> | undefined;
  /** Further texts. All of them must match. */
  readonly terms?: ReadonlyArray<SearchTerm> | undefined;
}

/** All criteria with their names required, so that the compiler finds a missing one. */
export type AllCriteria = { readonly [K in keyof Required<SearchCriteria>]: SearchCriteria[K] };

/** Where a text is searched: in From, To, Cc and the subject, or also in all other fields and the body. */
export type SearchScope = "headers" | "all";

/** The criteria in a request: `since` and `before` are days or instants; the Message-ID may lack its brackets. */
type WrittenCriteria = Omit<SearchCriteria, "arrivedFrom" | "arrivedBefore"> & {
  readonly scope?: SearchScope | undefined;
};

const bracketed = (id: string | undefined) => (id === undefined || /^<.*>$/.test(id) ? id : `<${id}>`);
const dayOf = (time: string | undefined) => (time !== undefined && isDay(time) ? time : undefined);
const millisUnlessDay = (time: string | undefined) => (time === undefined || isDay(time) ? undefined : millisOf(time));

/** Returns the criteria of a request, without folder, paging and text scope. */
export const criteriaOf = (request: WrittenCriteria): AllCriteria => ({
  from: request.from,
  to: request.to,
  cc: request.cc,
  subject: request.subject,
  messageId: bracketed(request.messageId),
  headers: request.scope === "headers" ? request.text : request.headers,
  text: request.scope === "headers" ? undefined : request.text,
  since: dayOf(request.since),
  before: dayOf(request.before),
  arrivedFrom: millisUnlessDay(request.since),
  arrivedBefore: millisUnlessDay(request.before),
  unread: request.unread,
  flagged: request.flagged,
  hasAttachments: request.hasAttachments,
  label: request.label,
  larger: request.larger,
  smaller: request.smaller,
  threadId: request.threadId,
  related: request.related,
  terms: request.terms?.map((term) => ({
    ...term,
    field: term.field === "text" && request.scope === "headers" ? "headers" : term.field,
  })),
});
