import { Context, type Effect } from "effect";
import type { HeaderField, ParsedMessage } from "../../mail/index.ts";
import type { AccountId } from "../../shared/index.ts";
import type { MessageUnparsable } from "../errors.ts";

/** One text of a message, still encoded. Texts of one group say the same in other words. */
export interface EncodedBody {
  readonly group: number;
  readonly type: "text/plain" | "text/html";
  /** Of Content-Type, such as `charset`. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly encoding: string;
  readonly bytes: Uint8Array;
}

/** What of a message is to be read, in bytes as they came. */
export interface UnparsedMessage {
  readonly header: Uint8Array;
  readonly bodies: ReadonlyArray<EncodedBody>;
  /** Where the pictures are that the HTML names by Content-ID. */
  readonly pictures: Readonly<Record<string, string>>;
}

/** What a person reads of a message. */
export interface ReadableMessage {
  readonly headers: ReadonlyArray<HeaderField>;
  readonly text: string;
  /** Without scripts, forms, and anything that acts or fetches; null where there is none. */
  readonly html: string | null;
  /** Remote things the HTML would have fetched. */
  readonly blocked: number;
}

/**
 * Parses messages, within bounds of time and memory that no message can leave ("MIME"). An account's messages
 * are parsed one at a time: however long they take, there is room for those of others.
 */
export class MessageParser extends Context.Service<
  MessageParser,
  {
    /** `key` names the message: one that failed three times is not tried again. */
    readonly read: (
      account: AccountId,
      key: string,
      message: UnparsedMessage,
    ) => Effect.Effect<ReadableMessage, MessageUnparsable>;
    /** A raw message as the recogniser of bounces looks at it. */
    readonly report: (
      account: AccountId,
      key: string,
      raw: Uint8Array,
    ) => Effect.Effect<ParsedMessage, MessageUnparsable>;
  }
>()("@postern/core/messages/ports/MessageParser") {}
