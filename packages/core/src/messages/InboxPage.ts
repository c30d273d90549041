import type { Folder } from "../folders/index.ts";
import type { MessageSummary } from "../mail/index.ts";

/** A listed message with its id for clients. */
export interface InboxEntry {
  readonly id: string;
  readonly message: MessageSummary;
  /** The first words that the author wrote; null if the message has no text, absent if not requested. */
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

/** A page, and the number of milliseconds since the mail server confirmed it. */
export interface AgedPage {
  readonly page: InboxPage;
  readonly age: number;
}

/** A client's request for a page. Numbers are positive. A cursor overrides the page. */
export interface InboxRequest {
  readonly folder?: string | undefined;
  /** The id of a folder, instead of `folder`. */
  readonly folderId?: string | undefined;
  readonly page?: number | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  /** The maximum age of the answer, in milliseconds; by default 0. */
  readonly maxAge?: number | undefined;
  /** Whether to add previews; by default false. */
  readonly previews?: boolean | undefined;
}
