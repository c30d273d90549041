import type { MessagePlace } from "@postern/core/messages";
import { Context, Layer } from "effect";
import type { MessageStructureObject } from "imapflow";

/** Maximum number of kept structures; each takes about 1 KiB. */
const MAX_KEPT = 2_000;

/**
 * The MIME structures of messages listed last, by account and server (`serverAccountOf`). A known structure lets the
 * command that opens a message also fetch its texts; the structure of a message never changes.
 */
export class MessageStructures extends Context.Service<
  MessageStructures,
  {
    readonly keep: (owner: string, place: MessagePlace, structure: MessageStructureObject) => void;
    readonly of: (owner: string, place: MessagePlace) => MessageStructureObject | undefined;
  }
>()("@postern/imap/MessageStructures") {
  static readonly layer = Layer.sync(MessageStructures, () => {
    const kept = new Map<string, MessageStructureObject>();
    const keyOf = (owner: string, { path, uidValidity, uid }: MessagePlace) =>
      `${owner}\n${path}\n${uidValidity}\n${uid}`;
    return MessageStructures.of({
      keep: (owner, place, structure) => {
        const key = keyOf(owner, place);
        kept.delete(key);
        kept.set(key, structure);
        if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value!);
      },
      of: (owner, place) => kept.get(keyOf(owner, place)),
    });
  });
}
