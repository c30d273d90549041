/** What a client asks to be sent, well-typed and not yet looked at (seed 2.4, decisions 6). */
export interface SendRequest {
  readonly to: OneOrMore;
  readonly cc?: OneOrMore | undefined;
  readonly bcc?: OneOrMore | undefined;
  readonly replyTo?: OneOrMore | undefined;
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

/** A comma-separated list, or several of them. */
export type OneOrMore = string | ReadonlyArray<string>;

/** An uploaded file by its id; the size a client states is not looked at. */
export interface AttachmentRequest {
  readonly id: string;
  readonly name?: string | undefined;
  readonly url: string;
  readonly type?: string | undefined;
  readonly size?: number | undefined;
  /** With it the file is part of the HTML, which shows it as `cid:…`. */
  readonly contentId?: string | undefined;
}
