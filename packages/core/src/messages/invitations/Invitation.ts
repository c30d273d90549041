import type { Address } from "../../mail/index.ts";

/** An invited person; `status` is the answer so far in lower case, such as `accepted` or `needs-action`. */
export interface Attendee extends Address {
  readonly status: string;
}

/** The event of a message's calendar (RFC 5545, RFC 5546). */
export interface Invitation {
  /** The method in lower case, such as `request` or `cancel`. */
  readonly method: string;
  readonly uid: string;
  /** The number of the event's version, which grows with each change of time or place. */
  readonly sequence: number;
  readonly summary: string;
  readonly location: string;
  /** The start in ISO 8601, without `Z` if the time zone is unknown; for an all-day event, the first day. */
  readonly start: string;
  /** The end, in the same form as `start`; for an all-day event, the day after the last. Null if the calendar gives no end. */
  readonly end: string | null;
  readonly allDay: boolean;
  readonly recurs: boolean;
  readonly cancelled: boolean;
  readonly organizer: Address | null;
  /** The first 200 attendees. */
  readonly attendees: ReadonlyArray<Attendee>;
  /** The RECURRENCE-ID of one occurrence as a line of the calendar; null for the whole event. */
  readonly recurrenceId: string | null;
}
