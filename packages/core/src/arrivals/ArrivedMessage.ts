import type { MessageSummary } from "../messages/MessageSummary.ts";
import type { SeenMessage } from "./SeenMessage.ts";

/** A message as it was found in a mailbox; `summary` is null where what the server says of it cannot be read. */
export interface ArrivedMessage extends SeenMessage {
  readonly summary: MessageSummary | null;
}
