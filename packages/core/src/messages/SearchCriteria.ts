/** The criteria of a search, all of which must match (spec 5). Text matches case-insensitively and within words. */
export interface SearchCriteria {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly cc?: string | undefined;
  readonly subject?: string | undefined;
  /** In From, To, Cc or the subject. */
  readonly headers?: string | undefined;
  /** In the header or the body. */
  readonly text?: string | undefined;
  /** Arrived on or after this day: `YYYY-MM-DD` in the mail server's time zone. */
  readonly since?: string | undefined;
  /** Arrived before this day. */
  readonly before?: string | undefined;
  readonly unread?: boolean | undefined;
  readonly flagged?: boolean | undefined;
  readonly hasAttachments?: boolean | undefined;
  /** Bytes. */
  readonly larger?: number | undefined;
  readonly smaller?: number | undefined;
  /** A threadId of the mail server, not a derived one. */
  readonly threadId?: string | undefined;
  /** Has or refers to one of these Message-IDs. */
  readonly related?: ReadonlyArray<string> | undefined;
}

/** Every criterion, so that the compiler finds a missing one. */
export type AllCriteria = { readonly [K in keyof Required<SearchCriteria>]: SearchCriteria[K] };

/** Where a text is searched: in From, To, Cc and the subject, or also in all other fields and the body. */
export type SearchScope = "headers" | "all";

/** Picks the criteria from a request that may also hold a folder, paging, and the scope of its text. */
export const criteriaOf = (request: SearchCriteria & { readonly scope?: SearchScope | undefined }): AllCriteria => ({
  from: request.from,
  to: request.to,
  cc: request.cc,
  subject: request.subject,
  headers: request.scope === "headers" ? request.text : request.headers,
  text: request.scope === "headers" ? undefined : request.text,
  since: request.since,
  before: request.before,
  unread: request.unread,
  flagged: request.flagged,
  hasAttachments: request.hasAttachments,
  larger: request.larger,
  smaller: request.smaller,
  threadId: request.threadId,
  related: request.related,
});
