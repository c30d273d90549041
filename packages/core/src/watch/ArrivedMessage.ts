import type { HeaderField, MessageSummary } from "../mail/index.ts";
import type { SeenMessage } from "./SeenMessage.ts";

/** A message found in a mailbox; `summary` is null if the server's response about it cannot be parsed. */
export interface ArrivedMessage extends SeenMessage {
  /** The message's fields among `ARRIVAL_FIELDS`, unfolded and decoded. */
  readonly fields: ReadonlyArray<HeaderField>;
  readonly summary: MessageSummary | null;
}
