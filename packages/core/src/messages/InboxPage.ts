import type { Folder } from "../folders/index.ts";
import type { MessageSummary } from "../mail/index.ts";

/** A listed message with its id for clients. */
export interface InboxEntry {
  readonly id: string;
  readonly message: MessageSummary;
  /** The first words of the message that a person wrote; null if the message has no text, absent if not requested. */
  readonly preview?: string | null;
}

/** One page of a folder, newest arrival first (spec 5.1). */
export interface InboxPage {
  readonly folder: Pick<Folder, "id" | "key" | "path"> & { readonly uidValidity: number };
  readonly page: number;
  readonly limit: number;
  readonly total: number;
  readonly unread: number;
  readonly pages: number;
  readonly nextCursor: string | null;
  readonly emails: ReadonlyArray<InboxEntry>;
}

/** A page, and how many milliseconds ago the mail server confirmed that it is current. */
export interface AgedPage {
  readonly page: InboxPage;
  readonly age: number;
}

/** A client's request: positive whole numbers, or undefined. A cursor overrides the page. */
export interface InboxRequest {
  readonly folder?: string | undefined;
  /** The id of a folder, in place of `folder`. */
  readonly folderId?: string | undefined;
  readonly page?: number | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  /** How old the answer may be, in milliseconds; 0 by default. */
  readonly maxAge?: number | undefined;
  /** Whether the messages have previews; false by default. */
  readonly previews?: boolean | undefined;
}
