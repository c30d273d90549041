import type { MailServerError } from "@postern/core/mail";
import { Effect } from "effect";

/** The number of refusals after which no further part is tried. */
const MAX_REFUSALS = 20;

type Fetch<Row> = (numbers: ReadonlyArray<number>) => Effect.Effect<ReadonlyArray<Row>, MailServerError>;

/**
 * Fetches the rows of messages. If the server refuses all rows because of a single message (Yahoo: UNAVAILABLE),
 * fetches the rows in smaller parts and leaves out the refused messages. Fails if the server refuses even `bare`, a
 * FETCH of few properties.
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
