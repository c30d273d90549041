import { Context, type Effect } from "effect";
import type { HeaderField, ParsedMessage } from "../../mail/index.ts";
import type { AccountId } from "../../shared/index.ts";
import type { MessageUnparsable } from "../errors.ts";
import type { Invitation } from "../invitations/Invitation.ts";

/** One encoded text of a message. Texts of one group are alternatives. */
export interface EncodedBody {
  readonly group: number;
  readonly type: "text/plain" | "text/html";
  /** Parameters of Content-Type, such as `charset`. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly encoding: string;
  readonly bytes: Uint8Array;
}

/** The parts of a message to parse, as received. */
export interface UnparsedMessage {
  readonly header: Uint8Array;
  readonly bodies: ReadonlyArray<EncodedBody>;
  /** The URLs of the inline images of the HTML, by Content-ID. */
  readonly pictures: Readonly<Record<string, string>>;
  /** Whether to return also the visible part of the texts, for a program that must not read hidden text; by default false. */
  readonly withVisibleText?: boolean | undefined;
  /** The calendar of an invitation, as a plain text. */
  readonly calendar?: EncodedBody | undefined;
}

/** The text of a message that a person sees, and a count of the removed hidden text. */
export interface VisibleText {
  /** Plain text. The address of each link follows the link. */
  readonly text: string;
  /** The number of removed characters by kind, such as `not_displayed` or `comment`. */
  readonly hidden: ReadonlyArray<{ readonly kind: string; readonly characters: number }>;
}

/** The readable contents of a message. */
export interface ReadableMessage {
  readonly headers: ReadonlyArray<HeaderField>;
  readonly text: string;
  /** HTML without scripts, forms and remote resources; null if the message has none. */
  readonly html: string | null;
  /** Number of remote resources that were removed from the HTML. */
  readonly blocked: number;
  /** The visible text; null unless the request asked for it. */
  readonly visible?: VisibleText | null;
  /** The invitation; absent unless the message has a calendar, null if the calendar cannot be read. */
  readonly invitation?: Invitation | null;
}

/**
 * Parses messages within fixed limits of time and memory. An account's messages are parsed one at a time, so that one
 * account cannot occupy the parser.
 */
export class MessageParser extends Context.Service<
  MessageParser,
  {
    /** Parses a message, which `key` identifies. After three failures, the message is not parsed again. */
    readonly read: (
      account: AccountId,
      key: string,
      message: UnparsedMessage,
    ) => Effect.Effect<ReadableMessage, MessageUnparsable>;
    /** Decodes the beginnings of texts, and returns the visible text of HTML; empty for a text that cannot be read. */
    readonly previews: (
      account: AccountId,
      texts: ReadonlyArray<EncodedBody>,
    ) => Effect.Effect<ReadonlyArray<string>, MessageUnparsable>;
    /** Parses a raw message for the recognition of bounces. */
    readonly report: (
      account: AccountId,
      key: string,
      raw: Uint8Array,
    ) => Effect.Effect<ParsedMessage, MessageUnparsable>;
  }
>()("@postern/core/messages/ports/MessageParser") {}
