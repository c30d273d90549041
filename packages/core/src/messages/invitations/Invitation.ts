import type { Address } from "../../mail/index.ts";

/** A person who is invited, with the answer so far in lower case, such as `accepted` or `needs-action`. */
export interface Attendee extends Address {
  readonly status: string;
}

/** The event of a message's calendar (RFC 5545, RFC 5546). */
export interface Invitation {
  /** In lower case, such as `request` or `cancel`. */
  readonly method: string;
  readonly uid: string;
  /** Higher after each change of time or place. */
  readonly sequence: number;
  readonly summary: string;
  readonly location: string;
  /** An instant in ISO 8601; without `Z` if its time zone is not known; of an event of whole days the first day. */
  readonly start: string;
  /** As `start`; of an event of whole days the day after the last. Null if the calendar does not say. */
  readonly end: string | null;
  readonly allDay: boolean;
  readonly recurs: boolean;
  readonly cancelled: boolean;
  readonly organizer: Address | null;
  /** The first 200. */
  readonly attendees: ReadonlyArray<Attendee>;
  /** The RECURRENCE-ID of one occurrence as a line of the calendar, null for the whole event. */
  readonly recurrenceId: string | null;
}
