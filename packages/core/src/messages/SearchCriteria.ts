/** What messages are searched for: all of it must be so (spec 5). Text is found in any case, also within words. */
export interface SearchCriteria {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly subject?: string | undefined;
  /** Anywhere in header or text. */
  readonly text?: string | undefined;
  /** Arrived on this day or later: `YYYY-MM-DD`, as the mail server reckons days. */
  readonly since?: string | undefined;
  /** Arrived before this day. */
  readonly before?: string | undefined;
  readonly unread?: boolean | undefined;
  readonly flagged?: boolean | undefined;
  readonly hasAttachments?: boolean | undefined;
  /** Bytes. */
  readonly larger?: number | undefined;
  readonly smaller?: number | undefined;
  /** The mail server's own thread. */
  readonly threadId?: string | undefined;
  /** Bear one of these Message-IDs, or refer to one. */
  readonly related?: ReadonlyArray<string> | undefined;
}

/** Every criterion, so that none can be forgotten where each is named. */
export type AllCriteria = { readonly [K in keyof Required<SearchCriteria>]: SearchCriteria[K] };

/** Returns the criteria of a request, without what else it holds (folder, paging): that is not for the mail server. */
export const criteriaOf = (request: SearchCriteria): AllCriteria => ({
  from: request.from,
  to: request.to,
  subject: request.subject,
  text: request.text,
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
