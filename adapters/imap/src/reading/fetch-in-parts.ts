import type { MailServerError } from "@postern/core/mail";
import { Effect } from "effect";

/** After this many refusals no further part is tried. */
const MAX_REFUSALS = 20;

type Fetch<Row> = (numbers: ReadonlyArray<number>) => Effect.Effect<ReadonlyArray<Row>, MailServerError>;

/**
 * Fetches the rows of messages. Yahoo refuses all rows with UNAVAILABLE because of a single message. The rows are then
 * fetched in smaller parts, without the refused ones. Fails if the server refuses even `bare`, their few properties
 * without a description.
 */
export const fetchInParts = <Row>(
  numbers: ReadonlyArray<number>,
  fetch: Fetch<Row>,
  bare: Fetch<unknown>,
): Effect.Effect<ReadonlyArray<Row>, MailServerError> => {
  let refusals = 0;
  const inParts = (some: ReadonlyArray<number>): Effect.Effect<ReadonlyArray<Row>, MailServerError> =>
    Effect.catchIf(fetch(some), isRefusedNow, () => {
      if (some.length === 1 || ++refusals > MAX_REFUSALS) return Effect.succeed([]);
      const half = some.length >> 1;
      return Effect.zipWith(inParts(some.slice(0, half)), inParts(some.slice(half)), (one, other) => [
        ...one,
        ...other,
      ]);
    });
  return Effect.catchIf(fetch(numbers), isRefusedNow, () => Effect.andThen(bare(numbers), inParts(numbers)));
};

const isRefusedNow = ({ reason }: MailServerError): boolean => reason === "busy";
