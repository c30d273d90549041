/** What a client asks to be sent, well-typed and not yet looked at (spec 2.4, 6). */
export interface SendRequest {
  readonly to: Mailboxes;
  readonly cc?: Mailboxes | undefined;
  readonly bcc?: Mailboxes | undefined;
  readonly replyTo?: Mailboxes | undefined;
  readonly subject: string;
  readonly text?: string | undefined;
  readonly html?: string | undefined;
  readonly attachments?: ReadonlyArray<AttachmentRequest> | undefined;
  /** Message-IDs, with or without their angle brackets. */
  readonly inReplyTo?: string | undefined;
  readonly references?: OneOrMore | undefined;
  /** `X-*` only. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly trackOpens?: boolean | undefined;
  /** The message this one answers, or the one whose files go with it; ids of ours. */
  readonly replyToMessageId?: string | undefined;
  readonly forwardOf?: string | undefined;
  /** ISO 8601 with an offset. */
  readonly sendAt?: string | undefined;
}

/** One value or several; a text may be a list with commas. */
export type OneOrMore<A = string> = A | ReadonlyArray<A>;

/** Addresses, as a header field lists them or as listings of messages give them. */
export type Mailboxes = OneOrMore<string | NamedAddress>;

/** An address with the name people know it by. */
export interface NamedAddress {
  readonly name?: string | undefined;
  readonly address: string;
}

/** An uploaded file by its id; the url must match where it is given, and the size a client states is ignored. */
export interface AttachmentRequest {
  readonly id: string;
  readonly name?: string | undefined;
  readonly url?: string | undefined;
  readonly type?: string | undefined;
  readonly size?: number | undefined;
  /** With it the file is part of the HTML, which shows it as `cid:…`. */
  readonly contentId?: string | undefined;
}
