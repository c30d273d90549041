import type { HeaderField, MessageSummary } from "../mail/index.ts";
import type { SeenMessage } from "./SeenMessage.ts";

/** A message as it was found in a mailbox; `summary` is null where what the server says of it cannot be read. */
export interface ArrivedMessage extends SeenMessage {
  /** Those of `CANDIDATE_FIELDS` that it has, unfolded and decoded. */
  readonly fields: ReadonlyArray<HeaderField>;
  readonly summary: MessageSummary | null;
}
