import type { MessageSummary } from "../mail/index.ts";

/** A message of a listing, with the id clients name it by. */
export interface InboxEntry {
  readonly id: string;
  readonly message: MessageSummary;
}

/** One page of a folder, newest arrival first (spec 5.1). */
export interface InboxPage {
  readonly folder: { readonly id: string; readonly path: string };
  readonly page: number;
  readonly limit: number;
  readonly total: number;
  readonly unread: number;
  readonly pages: number;
  readonly nextCursor: string | null;
  readonly emails: ReadonlyArray<InboxEntry>;
}

/** What a client asks for: positive whole numbers, or nothing. A cursor overrides the page. */
export interface InboxRequest {
  readonly folder?: string | undefined;
  readonly page?: number | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}
