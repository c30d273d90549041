import type { Address } from "@postern/core/mail";
import type { Invitation } from "@postern/core/messages";
import ICAL from "ical.js";

const MAX_CHARS = 1_000;
const MAX_ATTENDEES = 200;

const boundedText = (text: unknown): string => (typeof text === "string" ? text.slice(0, MAX_CHARS) : "");

/** Returns the first event of a calendar; null if it has none or cannot be read. */
export const invitationOf = (text: string): Invitation | null => {
  try {
    return readInvitation(text);
  } catch {
    return null;
  }
};

const readInvitation = (text: string): Invitation | null => {
  const calendar = ICAL.Component.fromString(text);
  const component = calendar.getFirstSubcomponent("vevent");
  if (component === null) return null;
  const event = new ICAL.Event(component);
  const { startDate, endDate } = event;
  if (startDate === null || boundedText(event.uid) === "") return null;
  const method = boundedText(calendar.getFirstPropertyValue("method")).toLowerCase();
  const organizer = component.getFirstProperty("organizer");
  return {
    method,
    uid: boundedText(event.uid),
    sequence: Number.isSafeInteger(event.sequence) ? event.sequence : 0,
    summary: boundedText(event.summary),
    location: boundedText(event.location),
    start: momentOf(startDate),
    end: endDate === null ? null : momentOf(endDate),
    allDay: startDate.isDate,
    recurs: component.hasProperty("rrule") || component.hasProperty("rdate"),
    cancelled:
      method === "cancel" || boundedText(component.getFirstPropertyValue("status")).toUpperCase() === "CANCELLED",
    organizer: organizer === null ? null : personOf(organizer),
    attendees: component
      .getAllProperties("attendee")
      .slice(0, MAX_ATTENDEES)
      .map((one) => ({
        ...personOf(one),
        status: boundedText(one.getFirstParameter("partstat")).toLowerCase() || "needs-action",
      })),
    recurrenceId: component.getFirstProperty("recurrence-id")?.toICALString() ?? null,
  };
};

const personOf = (property: InstanceType<typeof ICAL.Property>): Address => ({
  name: boundedText(property.getFirstParameter("cn")),
  address: boundedText(property.getFirstValue())
    .replace(/^mailto:/i, "")
    .trim(),
});

/** Returns a day, an instant, or a time without a zone if the calendar does not define its zone. */
const momentOf = (time: InstanceType<typeof ICAL.Time>): string => {
  if (time.isDate) return time.toString();
  const isKnown = time.zone !== null && time.zone !== ICAL.Timezone.localTimezone;
  return isKnown ? time.toJSDate().toISOString() : time.toString().replace(/Z$/, "");
};
