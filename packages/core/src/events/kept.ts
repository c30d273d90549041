import { Duration } from "effect";

const KEPT = Duration.days(14);

/** How long events, deliveries and attempts are kept, in milliseconds (spec 7). */
export const KEPT_MILLIS = Duration.toMillis(KEPT);
