import { Duration } from "effect";

/** How long events, deliveries and attempts are kept, in milliseconds (spec 7). */
export const KEPT_MILLIS = Duration.toMillis(Duration.days(14));
