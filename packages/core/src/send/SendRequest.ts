/** A client's request to send: well-typed but not yet validated (spec 2.4, 6). */
export interface SendRequest {
  /** The id of an identity, or its address with or without a name. */
  readonly from?: string | NamedAddress | undefined;
  readonly to?: Mailboxes | undefined;
  readonly cc?: Mailboxes | undefined;
  readonly bcc?: Mailboxes | undefined;
  readonly replyTo?: Mailboxes | undefined;
  readonly subject?: string | undefined;
  readonly text?: string | undefined;
  readonly html?: string | undefined;
  readonly attachments?: ReadonlyArray<AttachmentRequest> | undefined;
  /** Message-IDs, with or without their angle brackets. */
  readonly inReplyTo?: string | undefined;
  readonly references?: OneOrMore | undefined;
  /** Further header fields, with names that `readHeaderFields` allows. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The URL where recipients unsubscribe (RFC 2369); with `oneClick`, by a POST without confirmation (RFC 8058). */
  readonly unsubscribe?: { readonly url: string; readonly oneClick?: boolean | undefined } | undefined;
  readonly trackOpens?: boolean | undefined;
  /** The id of the message to answer, or of the message whose files are forwarded. */
  readonly replyToMessageId?: string | undefined;
  readonly forwardOf?: string | undefined;
  /** Whether to answer a message that a program wrote. */
  readonly force?: boolean | undefined;
  /** When to send the message, in ISO 8601 with an offset. */
  readonly sendAt?: string | undefined;
  /** How long the message may wait to be sent, in the notation of settings: `30m`, `6h`, `2d`. */
  readonly expiresAfter?: string | undefined;
}

/** One value or several values; a text may be a comma-separated list. */
export type OneOrMore<A = string> = A | ReadonlyArray<A>;

/** Addresses, as in a header field or as in listings of messages. */
export type Mailboxes = OneOrMore<string | NamedAddress>;

/** An address with a display name. */
export interface NamedAddress {
  readonly name?: string | undefined;
  readonly address: string;
}

/** An uploaded file by its id, or a file as base64. `url` must match if it is given; `size` is ignored. */
export interface AttachmentRequest {
  readonly id?: string | undefined;
  readonly content?: string | undefined;
  readonly name?: string | undefined;
  readonly url?: string | undefined;
  readonly type?: string | undefined;
  readonly size?: number | undefined;
  /** The Content-ID. A file with a Content-ID is an inline part of the HTML, which names the file as `cid:…`. */
  readonly contentId?: string | undefined;
}
