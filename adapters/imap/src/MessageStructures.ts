import type { MessagePlace } from "@postern/core/messages";
import type { AccountId } from "@postern/core/shared";
import { Context, Layer } from "effect";
import type { MessageStructureObject } from "imapflow";

/** Structures kept: about 1 KiB each. */
const MOST_KEPT = 2_000;

/**
 * The MIME structures of messages listed last. With them the texts of a message are fetched by the command that opens
 * it; the structure of a message never changes.
 */
export class MessageStructures extends Context.Service<
  MessageStructures,
  {
    readonly keep: (account: AccountId, place: MessagePlace, structure: MessageStructureObject) => void;
    readonly of: (account: AccountId, place: MessagePlace) => MessageStructureObject | undefined;
  }
>()("@postern/imap/MessageStructures") {
  static readonly layer = Layer.sync(MessageStructures, () => {
    const kept = new Map<string, MessageStructureObject>();
    const keyOf = (account: AccountId, { path, uidValidity, uid }: MessagePlace) =>
      `${account}\n${path}\n${uidValidity}\n${uid}`;
    return MessageStructures.of({
      keep: (account, place, structure) => {
        const key = keyOf(account, place);
        kept.delete(key);
        kept.set(key, structure);
        if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value!);
      },
      of: (account, place) => kept.get(keyOf(account, place)),
    });
  });
}
