/* oxlint-disable max-lines */
// Written by `npm run openapi` from the contract; change that instead.

/**
 * The operations of the API for the account with an address. What a group lists or does by its own name is called on the
 * group itself.
 */
export interface Operations {
readonly auth: {
/** List the sessions of the account. Returns all sessions that have not ended, of API clients and browsers, newest first. */
readonly sessions: (address: string) => Promise<ReadonlyArray<Session>>;
/** End a session. Ends any session of the account, such as that of a lost phone, as `POST /api/auth/logout` would. */
readonly endSession: (address: string, id: string) => Promise<{
/** Id of the session. */
readonly id: string;
}>;
};
readonly account: {
/** Show the account. Returns whether the mail server accepts the account, how it signs in there, and what its user can do where it does not. Nothing is asked of the mail server. */
readonly get: (address: string) => Promise<OwnAccount>;
/** Erase the account. Ends all sessions and erases what Postern stores of the account: credential, outbox, webhook endpoints, events and uploads. `account.removed` and its deliveries to applications stay for 14 days; logs and backups are not changed. The mailbox and its mail stay as they are. A new sign-in starts afresh. */
readonly remove: (address: string) => Promise<{
/** Address of the account that was erased. */
readonly email: string;
}>;
};
readonly folders: {
/** List the folders. Returns every folder of the mailbox with its counts, read from the mail server now. The list has one page. */
(address: string): Promise<ReadonlyArray<Folder>>;
};
readonly folderSettings: {
/** List the user's folders. Returns the folders that can be renamed and deleted: INBOX and folders with a role are left out. */
(address: string): Promise<ReadonlyArray<ManagedFolder>>;
/** Create a folder. Creates the folder on the mail server and raises `folder.created`. A repeat is refused with 409 `folder_exists`; with the same `Idempotency-Key` it gets the folder. */
readonly create: (address: string, payload: NewFolder, headers?: {
/** Key of this creation, chosen by the client. A repeat within 24 hours creates nothing: it gets what the first request created, as it is now, without a secret that is shown once. */
readonly idempotencyKey?: string;
}) => Promise<ManagedFolder>;
/** Rename or move a folder. Changes the name, the parent or both; a field that is left out stays. Subfolders and messages move with the folder, and its id stays. A repeat changes nothing. IMAP cannot compare: a change by another mail program in the same moment is not noticed. */
readonly change: (address: string, id: string, payload: FolderChange, headers?: {
/** Version that the request is about, as it is or as an entity tag: another version is refused with 409. Omitted or `*`: any version. */
readonly ifMatch?: string;
}) => Promise<ManagedFolder>;
/** Delete a folder. Moves the messages to `moveTo`, or to Trash, and then deletes the folder. A restart resumes a deletion; if the mail server refuses it for 24 hours, the folder is put back and `folder.delete_failed` is raised. */
readonly remove: (address: string, id: string, query?: {
/** Id of the folder that the messages move to. Default: Trash. */
readonly moveTo?: string;
/** `true` destroys the messages instead of moving them. Default: `false`. */
readonly permanent?: boolean;
/** `true` deletes the subfolders too. Default: `false`, which refuses them. */
readonly recursive?: boolean;
}, headers?: {
/** Version that the request is about, as it is or as an entity tag: another version is refused with 409. Omitted or `*`: any version. */
readonly ifMatch?: string;
}) => Promise<RemovedFolder>;
};
readonly inbox: {
/** List the messages of a folder. Returns a page of messages, latest arrival first, as they are on the mail server now. Messages stay unread. A page after the last is empty, not an error. Use `cursor` to walk through a folder while mail arrives. The answer has an `ETag`, and `If-None-Match` with it is answered 304. The request header `Cache-Control: max-age=N` allows an answer up to N seconds old (60 at most) where the account is watched; `Age` says how old it is. */
(address: string, query?: {
/** Folder to list: `INBOX`, an id, a path, or a name that is unique. Default: `INBOX`. */
readonly folder?: string;
/** Page number, from 1. Default: 1. */
readonly page?: number;
/** Messages per page. Default: 20; more than 200 counts as 200. */
readonly limit?: number;
/** `nextCursor` of the previous page. Overrides `page`; no message is repeated or left out while mail arrives. */
readonly cursor?: string;
/** `false` leaves out the previews, which saves a command to the mail server. */
readonly preview?: boolean;
}): Promise<{
/** Path of the folder listed. */
readonly folder: string;
/** Number of this page, from 1. */
readonly page: number;
/** Messages per page as applied: at most 200. */
readonly limit: number;
/** Number of messages on all pages. */
readonly total: number;
/** Number of unread messages on all pages. */
readonly unread: number;
/** Number of pages. */
readonly pages: number;
/** `cursor` of the request for the next page; null on the last page. */
readonly nextCursor: string | null;
/** The messages of this page, latest arrival first. */
readonly emails: ReadonlyArray<Email>;
}>;
};
readonly messages: {
/** Read a message. Returns the text, the sanitised HTML, the header fields and the list of attachments. The message stays unread. A message that cannot be parsed within 5 seconds of CPU time is returned with `parsed: false`. */
readonly read: (address: string, id: string) => Promise<Message>;
/** Change a message's flags or folder. Sets the flags given and moves the message if `folderId` is given; a field that is left out stays. A move gives the message a new id; the old one finds it for 90 days. A repeat changes nothing. */
readonly change: (address: string, id: string, payload: MessageChange) => Promise<ChangedMessage>;
/** Delete a message. Moves the message to Trash; a message that is there already stays, so a repeat destroys nothing. With `permanent=true` the message is destroyed at once, and a repeat is 404. */
readonly remove: (address: string, id: string, query?: {
/** `true` destroys the message instead of moving it to Trash. Default: `false`. */
readonly permanent?: boolean;
}) => Promise<RemovedMessage>;
/** Download a message as it was received. Streams the message (RFC 5322) from the mail server, with an `ETag`; the answer to a `Range` is 206. The message stays unread. */
readonly raw: (address: string, id: string, headers?: {
/** One range of bytes (RFC 9110, 14). */
readonly range?: string;
/** `ETag` of an earlier answer. If it has changed, the answer is not the range but all bytes. */
readonly ifRange?: string;
}) => Promise<Uint8Array>;
/** Download an attachment. Streams the decoded attachment, with an `ETag`; the answer to a `Range` is 206. `Content-Type` is that of the file if browsers do not run such files, otherwise `application/octet-stream`. */
readonly attachment: (address: string, id: string, attachmentId: string, headers?: {
/** One range of bytes (RFC 9110, 14). */
readonly range?: string;
/** `ETag` of an earlier answer. If it has changed, the answer is not the range but all bytes. */
readonly ifRange?: string;
}) => Promise<Uint8Array>;
/** Change or delete up to 1,000 messages. Makes one change to the messages named by `ids`, or to the newest 1,000 that meet `query`. The answer has a result for each: messages that are not found do not stop the others. A repeat changes nothing more. */
readonly batch: (address: string, payload: MessageBatchRequest) => Promise<{
/** Id of the folder that contains the messages now; null if they were not moved. */
readonly movedTo: string | null;
/** One result for each message, in the order asked. */
readonly results: ReadonlyArray<{
/** Id that the message had. */
readonly id: string;
/** False if the message was not found. */
readonly ok: boolean;
/** Id of the message from now on; null if it is deleted, or if the mail server does not report it. */
readonly newId: string | null;
/** Error code of this message; null if it was changed. */
readonly code: "message_not_found" | null;
}>;
}>;
};
readonly search: {
/** Search messages. Returns the messages that meet all criteria: folder by folder, latest arrival first in each. Without criteria it lists all messages. The mail server searches, so its rules decide which text matches. */
(address: string, query?: {
/** Folder to search: `INBOX`, an id, a path, or a name that is unique. Default: all folders. */
readonly folder?: string;
/** Text in the field From: part of a name or an address. */
readonly from?: string;
/** Text in the field To: part of a name or an address. */
readonly to?: string;
/** Text in the field Cc: part of a name or an address. */
readonly cc?: string;
/** Text in the subject. */
readonly subject?: string;
/** Text in the header or the body. */
readonly text?: string;
/** Where `text` is searched: `headers` is From, To, Cc and the subject, which mail servers search fast. Default: `all`. */
readonly scope?: "headers" | "all";
/** First day of arrival, `YYYY-MM-DD`, in the time zone of the mail server. */
readonly since?: string;
/** Messages that arrived before this day, `YYYY-MM-DD`, in the time zone of the mail server. */
readonly before?: string;
/** `true`: unread messages only; `false`: read messages only. */
readonly unread?: boolean;
/** `true`: flagged messages only; `false`: the others only. */
readonly flagged?: boolean;
/** `true`: messages with attachments only; `false`: the others only. */
readonly hasAttachments?: boolean;
/** Messages larger than this many bytes. */
readonly larger?: number;
/** Messages smaller than this many bytes. */
readonly smaller?: number;
/** Page number, from 1. Default: 1. */
readonly page?: number;
/** Messages per page. Default: 20; more than 200 counts as 200. */
readonly limit?: number;
/** `nextCursor` of the previous page. Overrides `page`; no message is repeated or left out while mail arrives. */
readonly cursor?: string;
/** `false` leaves out the previews, which saves a command to the mail server. */
readonly preview?: boolean;
}): Promise<{
/** Path of the folder searched; null if all folders were searched. */
readonly folder: string | null;
/** Number of this page, from 1. */
readonly page: number;
/** Messages per page as applied: at most 200. */
readonly limit: number;
/** Number of messages on all pages. */
readonly total: number;
/** Number of unread messages on all pages. */
readonly unread: number;
/** Number of pages. */
readonly pages: number;
/** `cursor` of the request for the next page; null on the last page. */
readonly nextCursor: string | null;
/** The messages of this page, latest arrival first. */
readonly emails: ReadonlyArray<Email>;
}>;
/** List a conversation. Returns the messages of a conversation from all folders, oldest first, at most 200, on one page. */
readonly thread: (address: string, id: string) => Promise<{
/** Path of the folder searched; null if all folders were searched. */
readonly folder: string | null;
/** Number of this page, from 1. */
readonly page: number;
/** Messages per page as applied: at most 200. */
readonly limit: number;
/** Number of messages on all pages. */
readonly total: number;
/** Number of unread messages on all pages. */
readonly unread: number;
/** Number of pages. */
readonly pages: number;
/** `cursor` of the request for the next page; null on the last page. */
readonly nextCursor: string | null;
/** The messages of this page, latest arrival first. */
readonly emails: ReadonlyArray<Email>;
}>;
};
readonly send: {
/** Send a message. Stores the message in the outbox and tries to send it at once, for at most 15 seconds; if it is not decided by then the answer is `queued` and the outcome comes as an event. Temporary failures are retried after 1, 5, 15 and 30 minutes, 1 hour and then every 2 hours, for 4 days, and when a mail server that was down is back. A repeat sends another message, unless both have the same `Idempotency-Key`. */
(address: string, payload: OutgoingMail, headers?: {
/** Key of this message, chosen by the client. A repeat within 24 hours gets the first answer and sends nothing. */
readonly idempotencyKey?: string;
}): Promise<{
/** Message-ID of the message. */
readonly messageId: string;
/** Message-ID that the mail server gave the message instead, which recipients see; null if it kept ours. */
readonly providerMessageId: string | null;
/** Id of the message in the outbox. */
readonly id: string;
/** `sent`: the mail server accepted the message; `queued`: Postern goes on trying; `scheduled`: it waits for `sendAt`. */
readonly status: "sent" | "queued" | "scheduled";
/** Recipients refused at the first attempt; those with a status of class 4 are retried. */
readonly rejected: ReadonlyArray<RejectedRecipient>;
}>;
/** List outgoing messages. Returns the newest 200 messages that the account sent or is sending, with the state of each recipient. */
readonly list: (address: string) => Promise<ReadonlyArray<OutgoingItem>>;
/** Cancel a message. Cancels a message that is `queued`, `scheduled` or `held`: it is not sent to the recipients that have not received it. For a message that is being sent or was sent, the answer is 409. */
readonly cancel: (address: string, id: string) => Promise<OutgoingItem>;
/** Send a queued message now. Makes the next attempt of a message that is `queued` at once; if that fails, the message waits as after any other attempt. The answer does not wait for the attempt. For a message in another state the answer is 409. */
readonly sendNow: (address: string, id: string) => Promise<OutgoingItem>;
/** Release a held message. Sends a message that is held because the key that asked for it was deleted; at once, or at its `sendAt`. For the account's owner, the operator and the other keys of the same application; otherwise the answer is 409. */
readonly release: (address: string, id: string) => Promise<OutgoingItem>;
};
readonly drafts: {
/** List drafts. Returns the drafts of the account, also those that other mail programs wrote: the newest 200 of the Drafts folder. */
(address: string): Promise<ReadonlyArray<DraftEntry>>;
/** Create a draft. Stores a draft in the Drafts folder, where other mail programs show it too. With `replyToMessageId` or `forwardOf`, a missing subject and text are taken from the original, an answer is addressed to its author, and the files of a forwarded message are attached. A repeat makes another draft, unless both have the same `Idempotency-Key`. */
readonly create: (address: string, payload?: NewDraft, headers?: {
/** Key of this creation, chosen by the client. A repeat within 24 hours creates nothing: it gets what the first request created, as it is now, without a secret that is shown once. */
readonly idempotencyKey?: string;
}) => Promise<Draft>;
/** Read a draft. Returns the draft as it is now. If another mail program changed it, its version is new. A draft that another program wrote becomes a draft of Postern with the same id. */
readonly get: (address: string, id: string) => Promise<Draft>;
/** Change a draft. Replaces what the draft says; its answer has the new version. If it is no longer the version in `If-Match`, also because another mail program changed it, nothing is saved and the answer is 409 `draft_changed`. Each save stores the whole message on the mail server: save some seconds after the last key rather than at each. */
readonly save: (address: string, id: string, payload: DraftContents, headers?: {
/** Version of the draft that the request replaces, as it is or as an entity tag. Required. */
readonly ifMatch?: string;
}) => Promise<Draft>;
/** Delete a draft. Deletes the draft from the Drafts folder for good, unless it is being sent, or is no longer the version in `If-Match`: 409 `draft_changed`. */
readonly remove: (address: string, id: string, headers?: {
/** Version that the request is about, as it is or as an entity tag: another version is refused with 409. Omitted or `*`: any version. */
readonly ifMatch?: string;
}) => Promise<{
/** Id of the draft: it stays the same over all saves. */
readonly id: string;
/** Always true. */
readonly deleted: true;
}>;
/** Send a draft. Sends the draft as `POST /api/send` does, once however often the request is repeated: a repeat gets the receipt of the first. With `If-Match` it sends that version: if the draft was changed since, also by another mail program, nothing is sent and the answer is 409 `draft_changed`. The draft leaves the Drafts folder once it is sent; if sending fails, it is a draft again, with the reason. */
readonly send: (address: string, id: string, headers?: {
/** Key of this message, chosen by the client. A repeat within 24 hours gets the first answer and sends nothing. */
readonly idempotencyKey?: string;
/** Version that the request is about, as it is or as an entity tag: another version is refused with 409. Omitted or `*`: any version. */
readonly ifMatch?: string;
}) => Promise<{
/** Message-ID of the message. */
readonly messageId: string;
/** Message-ID that the mail server gave the message instead, which recipients see; null if it kept ours. */
readonly providerMessageId: string | null;
/** Id of the message in the outbox. */
readonly id: string;
/** `sent`: the mail server accepted the message; `queued`: Postern goes on trying; `scheduled`: it waits for `sendAt`. */
readonly status: "sent" | "queued" | "scheduled";
/** Recipients refused at the first attempt; those with a status of class 4 are retried. */
readonly rejected: ReadonlyArray<RejectedRecipient>;
}>;
};
readonly identities: {
/** List identities. Returns the senders that messages of the account may name in `from`, also those not verified yet. */
(address: string): Promise<ReadonlyArray<Identity>>;
/** Add an identity. Adds an address to send from, and sends a mail with a link to it: messages may be sent from it once that page is confirmed. The mail counts against the account's sending rate. With the admin key, or where the operator sets `SENDER_ALIASES=any`, the address is verified at once. The mail server may still refuse it (`sender_refused`). A repeat is 409 `identity_exists`, or with the same `Idempotency-Key` the identity. */
readonly create: (address: string, payload: NewIdentity, headers?: {
/** Key of this creation, chosen by the client. A repeat within 24 hours creates nothing: it gets what the first request created, as it is now, without a secret that is shown once. */
readonly idempotencyKey?: string;
}) => Promise<Identity>;
/** Change an identity. Changes the fields that the body has. The name of the first identity is the name of the account; its address, as that of every identity, stays. */
readonly change: (address: string, id: string, payload: IdentityChange, headers?: {
/** Version that the request is about, as it is or as an entity tag: another version is refused with 409. Omitted or `*`: any version. */
readonly ifMatch?: string;
}) => Promise<Identity>;
/** Delete an identity. Deletes an identity: new messages may no longer be sent from it. Messages in the outbox stay. */
readonly remove: (address: string, id: string, headers?: {
/** Version that the request is about, as it is or as an entity tag: another version is refused with 409. Omitted or `*`: any version. */
readonly ifMatch?: string;
}) => Promise<{
/** Id of the identity. */
readonly id: string;
/** Always true. */
readonly deleted: true;
}>;
};
readonly uploads: {
/** Upload a file to send. Takes a `multipart/form-data` body with one file in its field `file`. Put `data` of the answer into `attachments` of `POST /api/send` within 24 hours, for any number of messages; a message that waits to be sent keeps its files. A repeat creates another upload. */
readonly upload: (address: string, file: File) => Promise<UploadedFile>;
/** Download an upload. Streams a file that the account uploaded, such as a picture of a draft, as long as the upload is kept: with an `ETag`; the answer to a `Range` is 206. `Content-Type` is that of the file if browsers do not run such files, otherwise `application/octet-stream`. */
readonly download: (address: string, id: string, headers?: {
/** One range of bytes (RFC 9110, 14). */
readonly range?: string;
/** `ETag` of an earlier answer. If it has changed, the answer is not the range but all bytes. */
readonly ifRange?: string;
}) => Promise<Uint8Array>;
};
readonly webhooks: {
/** Create a webhook endpoint. Creates an enabled endpoint and watches the mailbox from now on. The answer has the signing secret, which is not shown again. A repeat creates another endpoint, unless both have the same `Idempotency-Key`; an account has at most 100. A service key without `Postern-Account` creates an endpoint of its application, with the events of every managed account that the key reaches now and later: their mailboxes are watched, and the request waits up to 10 seconds for that. */
readonly create: (address: string, payload: NewWebhookEndpoint, headers?: {
/** Key of this creation, chosen by the client. A repeat within 24 hours creates nothing: it gets what the first request created, as it is now, without a secret that is shown once. */
readonly idempotencyKey?: string;
}) => Promise<WebhookEndpointWithSecret>;
/** List the webhook endpoints. Returns all endpoints of the account, or of the application of a service key without `Postern-Account`, enabled or not, oldest first. */
(address: string): Promise<ReadonlyArray<WebhookEndpoint>>;
/** List the event types. Returns every event type with its meaning, the JSON Schema of its `data` and a sample body. */
readonly eventTypes: (address: string) => Promise<ReadonlyArray<WebhookEventType>>;
/** Read a webhook endpoint. Returns the endpoint with the outcome of its last attempt. The signing secret is not shown. */
readonly get: (address: string, id: string) => Promise<WebhookEndpoint>;
/** Change a webhook endpoint. Changes the fields given; others stay. Pending deliveries use the new settings. A repeat changes nothing. */
readonly change: (address: string, id: string, payload: WebhookEndpointChange, headers?: {
/** Version that the request is about, as it is or as an entity tag: another version is refused with 409. Omitted or `*`: any version. */
readonly ifMatch?: string;
}) => Promise<WebhookEndpoint>;
/** Delete a webhook endpoint. Deletes the endpoint with its deliveries; pending deliveries are not attempted. A repeat is 404. */
readonly remove: (address: string, id: string, headers?: {
/** Version that the request is about, as it is or as an entity tag: another version is refused with 409. Omitted or `*`: any version. */
readonly ifMatch?: string;
}) => Promise<{
/** Id that the endpoint had. */
readonly id: string;
/** Always true. */
readonly deleted: true;
}>;
/** Enable a webhook endpoint. Delivers events from now on. Held events stay held until a replay. A repeat changes nothing. */
readonly enable: (address: string, id: string) => Promise<WebhookEndpoint>;
/** Disable a webhook endpoint. Stops deliveries; events are held for 14 days, for a replay. A repeat changes nothing. */
readonly disable: (address: string, id: string) => Promise<WebhookEndpoint>;
/** Send a sample event. Sends a signed sample, marked `test: true`, and waits for the receiver. The answer is 200 even if the receiver fails. Nothing is stored and nothing is retried; it works while the endpoint is disabled. */
readonly test: (address: string, id: string, payload?: {
/** Event type of the sample. Default: `webhook.test`. */
readonly event?: string;
}) => Promise<WebhookTestResult>;
/** Rotate the signing secret. Creates a new secret. For the time of `overlap`, deliveries carry signatures of both secrets, so that the receiver can switch; then only that of the new one. A repeat replaces the new secret. */
readonly rotateSecret: (address: string, id: string, payload?: {
/** How long both secrets sign: `0`, or a duration such as `24h`, at most `7d`. Default: `24h`. After a leak: `0`. */
readonly overlap?: string;
}) => Promise<AnnouncedSecret>;
/** List the deliveries of a webhook endpoint. Returns deliveries with all their attempts, newest first. They are kept for 14 days. */
readonly deliveries: (address: string, id: string, query?: {
/** Deliveries in this state only. */
readonly state?: "pending" | "held" | "in_flight" | "succeeded" | "exhausted" | "cancelled";
/** Deliveries of this event type only. */
readonly event?: string;
/** `nextCursor` of the previous page. */
readonly cursor?: string;
/** Deliveries per page. Default: 50; more than 200 counts as 200. */
readonly limit?: number;
}) => Promise<{
/** The deliveries of this page, newest first. */
readonly data: ReadonlyArray<WebhookDelivery>;
/** `cursor` of the request for the next page; null on the last page. */
readonly nextCursor: string | null;
}>;
/** Resend an event. Queues one more attempt with the same event id. If it fails it is not retried, and the endpoint stays enabled. A repeat queues another attempt. */
readonly resend: (address: string, id: string, deliveryId: string) => Promise<WebhookDelivery>;
/** Replay held and exhausted events. Queues the events of a time range whose delivery is held or exhausted. Events that were delivered, are due or in flight are skipped, so a repeat queues nothing twice. */
readonly replay: (address: string, id: string, payload: ReplayOrder) => Promise<ReplayTicket>;
};
readonly service: {
/** List the limits. Returns the limits of requests, messages and webhooks as this service applies them to the account. */
readonly limits: (address: string) => Promise<Limits>;
};
}

/** An address with its display name. */
export interface Address {
/** Display name; empty if there is none. */
readonly name: string;
/** E-mail address. */
readonly address: string;
}

/** A new signing secret, before it replaces the current one. */
export interface AnnouncedSecret {
/** Signing secret, `whsec_…`. Store it now: it is not shown again. */
readonly secret: string;
/** Until then deliveries carry signatures of both secrets. */
readonly activatesAt: string;
/** The end of the current secret. */
readonly secretHint: string;
}

/** A file to attach: an upload, or its content. */
export interface AttachmentReference {
/** Id of the upload. Required without `content`. */
readonly id?: string;
/** The file as base64, in place of an upload: 5 MiB at most, decoded, over all attachments of a request. */
readonly content?: string;
/** File name for the recipient. Default: that of the upload, `attachment` for a file in `content`. */
readonly name?: string;
/** `url` of the upload, checked if given. It is never fetched. */
readonly url?: string;
/** Media type. Default: that of the upload, `application/octet-stream` for a file in `content`. */
readonly type?: string;
/** Size in bytes; ignored. */
readonly size?: number;
/** Content-ID of a picture that the HTML shows as `cid:…`. */
readonly contentId?: string;
}

/** An attachment in a listing. */
export interface AttachmentSummary {
/** Id of the attachment, within its message. */
readonly id: string;
/** File name; null if there is none. */
readonly name: string | null;
/** Media type, as the sender declared it. */
readonly type: string;
/** Decoded size in bytes, estimated from the encoded size. */
readonly size: number;
}

/** Criteria of the messages: the newest 1,000 that meet all of them. */
export interface BatchQuery {
/** Folder to search: `INBOX`, an id, a path, or a name that is unique. Default: all folders. */
readonly folder?: string;
/** Text in the field From: part of a name or an address. */
readonly from?: string;
/** Text in the field To: part of a name or an address. */
readonly to?: string;
/** Text in the field Cc: part of a name or an address. */
readonly cc?: string;
/** Text in the subject. */
readonly subject?: string;
/** Text in the header or the body. */
readonly text?: string;
/** First day of arrival, `YYYY-MM-DD`, in the time zone of the mail server. */
readonly since?: string;
/** Messages that arrived before this day, `YYYY-MM-DD`, in the time zone of the mail server. */
readonly before?: string;
/** `true`: unread messages only; `false`: read messages only. */
readonly unread?: boolean;
/** `true`: flagged messages only; `false`: the others only. */
readonly flagged?: boolean;
/** `true`: messages with attachments only; `false`: the others only. */
readonly hasAttachments?: boolean;
/** Messages larger than this many bytes. */
readonly larger?: number;
/** Messages smaller than this many bytes. */
readonly smaller?: number;
}

/** A message after a change. */
export interface ChangedMessage {
/** Id of the message from now on; null if it is deleted, or if the mail server does not report it. */
readonly id: string | null;
/** IMAP UID of the message in its folder; null if the mail server does not report it. */
readonly uid: number | null;
/** Path of the folder that contains the message. */
readonly folder: string;
/** Message-ID field; null if there is none. */
readonly messageId: string | null;
/** Id of the conversation: that of the mail server, else derived from References, In-Reply-To or Message-ID; null if the message has none of them. It is the same for all messages of the conversation, except for an answer to an answer whose sender left out References: a derived id stands for the message that it answers. */
readonly threadId: string | null;
/** Subject, decoded; empty if there is none. */
readonly subject: string;
/** Address of the sender; empty if there is none. */
readonly from: string;
/** Display name of the sender; empty if there is none. */
readonly fromName: string;
/** Recipients in the field To, the first 200. */
readonly to: ReadonlyArray<Address>;
/** Recipients in the field Cc, the first 200. */
readonly cc: ReadonlyArray<Address>;
/** Number of all recipients in the field To. */
readonly toCount: number;
/** Number of all recipients in the field Cc. */
readonly ccCount: number;
/** True if `to` or `cc` has not all recipients of its field. */
readonly truncated: boolean;
/** Time of arrival. */
readonly date: string;
/** Date field, as the sender wrote it; null if unreadable. */
readonly sentAt: string | null;
/** True until the message is marked as read. */
readonly unread: boolean;
/** True if the message is flagged (starred). */
readonly flagged: boolean;
/** True if the message is marked as answered. */
readonly answered: boolean;
/** True if the message is a draft. */
readonly draft: boolean;
/** Size of the whole message in bytes, as stored. */
readonly size: number;
/** True if the message has attachments. */
readonly hasAttachments: boolean;
/** The attachments of the message. */
readonly attachments: ReadonlyArray<AttachmentSummary>;
/** What a person reads first of the message, at most 200 characters, in listings and searches; null elsewhere, and where it has no text. */
readonly preview: string | null;
}

/** A message that is not sent yet. */
export interface Draft {
/** Id of the draft: it stays the same over all saves. */
readonly id: string;
/** Version of the draft, for `If-Match`; also in the header `ETag`. */
readonly version: string;
/** `sending`: it was handed to the outbox, and cannot be changed until its outcome is known. */
readonly state: "draft" | "sending";
/** Why the last attempt to send it failed; null if there was none, or after a save. */
readonly reason: {
/** Code of the reason, such as `recipient_refused`; `send_outcome_unknown`: it may have been sent. */
readonly reason: string;
/** The reason in words. */
readonly detail: string;
} | null;
/** Time of the last save. */
readonly savedAt: string;
/** Recipients. An entry that is not an address yet has the text as its `address`. */
readonly to: ReadonlyArray<Address>;
/** Recipients of a copy. */
readonly cc: ReadonlyArray<Address>;
/** Subject; empty if there is none. */
readonly subject: string;
/** Sender: the id of an identity or an address; null for the default identity. */
readonly from: string | Address | null;
/** Recipients that others do not see. */
readonly bcc: ReadonlyArray<Address>;
/** Addresses for answers. */
readonly replyTo: ReadonlyArray<Address>;
/** Plain text; null if there is none. */
readonly text: string | null;
/** HTML; null if there is none. What another client wrote is sanitised, without remote resources. */
readonly html: string | null;
/** The files. */
readonly attachments: ReadonlyArray<{
/** Id of the upload, which the draft keeps. */
readonly id: string;
/** File name. */
readonly name: string;
/** `url` of the upload, for `attachments` of a request. */
readonly url: string;
/** Media type. */
readonly type: string;
/** Size in bytes. */
readonly size: number;
/** Content-ID of a picture that the HTML shows; null for other files. */
readonly contentId: string | null;
}>;
/** Message-ID in In-Reply-To; null for none. */
readonly inReplyTo: string | null;
/** Message-IDs in References. */
readonly references: ReadonlyArray<string>;
/** Further header fields. */
readonly headers: Readonly<Record<string, string>>;
/** Whether openings raise events. */
readonly trackOpens: boolean;
/** When to send it, counted from the request to send; null: now. */
readonly sendAt: string | null;
/** Id of the message that it answers; null if it is no answer. */
readonly replyToMessageId: string | null;
/** Whether it may answer a message that a program wrote. */
readonly force: boolean;
}

/** What a draft is to say. All fields are optional; those that are omitted are empty. */
export interface DraftContents {
/** Sender: the id of an identity, or its address with or without a name. Default: the default identity. */
readonly from?: string | NamedAddress;
/** Recipients: a comma-separated list, an address with a name, or an array. At most 100 with cc and bcc. Required unless `replyToMessageId` is given: an answer goes to the author by default. */
readonly to?: string | NamedAddress | ReadonlyArray<string | NamedAddress>;
/** Recipients of a copy, in the forms of `to`. */
readonly cc?: string | NamedAddress | ReadonlyArray<string | NamedAddress>;
/** Recipients that others do not see, in the forms of `to`. */
readonly bcc?: string | NamedAddress | ReadonlyArray<string | NamedAddress>;
/** Addresses for replies, in the forms of `to`. */
readonly replyTo?: string | NamedAddress | ReadonlyArray<string | NamedAddress>;
/** Subject; it may be empty. Required but in an answer or a forward, which take it from the original. */
readonly subject?: string;
/** Plain text. Without it and `html`, an answer or a forward quotes the original; else one is required. */
readonly text?: string;
/** HTML. Required without `text`. */
readonly html?: string;
/** Files to attach: at most 20, 25 MiB each. */
readonly attachments?: ReadonlyArray<AttachmentReference>;
/** Message-ID for the field In-Reply-To. */
readonly inReplyTo?: string;
/** Message-IDs for the field References, oldest first. */
readonly references?: string | ReadonlyArray<string>;
/** Id of the message that this one answers: sets In-Reply-To and References, marks it as answered. */
readonly replyToMessageId?: string;
/** Id of a message to forward: attaches its files, and those of its pictures that `html` shows as `cid:…`. */
readonly forwardOf?: string;
/** Further header fields: `Auto-Submitted`, `Precedence`, `Feedback-ID`, `Importance`, and names that begin with `List-` or `X-`, but not `X-Postern-Draft`. */
readonly headers?: Readonly<Record<string, string>>;
readonly unsubscribe?: Unsubscribe;
/** `true` answers `replyToMessageId` also if a program wrote that message, which is else 422 `automatic_message`. Default: `false`. */
readonly force?: boolean;
/** `true` raises `email.opened` when the HTML is opened. Default: `false`. */
readonly trackOpens?: boolean;
/** When to send, within a year. Default, and for a time in the past: now. */
readonly sendAt?: string;
}

/** A draft in the list. */
export interface DraftEntry {
/** Id of the draft: it stays the same over all saves. */
readonly id: string;
/** Version of the draft, for `If-Match`; also in the header `ETag`. */
readonly version: string;
/** `sending`: it was handed to the outbox, and cannot be changed until its outcome is known. */
readonly state: "draft" | "sending";
/** Why the last attempt to send it failed; null if there was none, or after a save. */
readonly reason: {
/** Code of the reason, such as `recipient_refused`; `send_outcome_unknown`: it may have been sent. */
readonly reason: string;
/** The reason in words. */
readonly detail: string;
} | null;
/** Time of the last save. */
readonly savedAt: string;
/** Recipients. An entry that is not an address yet has the text as its `address`. */
readonly to: ReadonlyArray<Address>;
/** Recipients of a copy. */
readonly cc: ReadonlyArray<Address>;
/** Subject; empty if there is none. */
readonly subject: string;
/** Whether it has files. */
readonly hasAttachments: boolean;
}

/** A message in a listing. */
export interface Email {
/** Id of the message: opaque, and valid for this account only. Every move gives the message another. */
readonly id: string;
/** IMAP UID of the message in its folder. */
readonly uid: number;
/** Path of the folder that contains the message. */
readonly folder: string;
/** Message-ID field; null if there is none. */
readonly messageId: string | null;
/** Id of the conversation: that of the mail server, else derived from References, In-Reply-To or Message-ID; null if the message has none of them. It is the same for all messages of the conversation, except for an answer to an answer whose sender left out References: a derived id stands for the message that it answers. */
readonly threadId: string | null;
/** Subject, decoded; empty if there is none. */
readonly subject: string;
/** Address of the sender; empty if there is none. */
readonly from: string;
/** Display name of the sender; empty if there is none. */
readonly fromName: string;
/** Recipients in the field To, the first 200. */
readonly to: ReadonlyArray<Address>;
/** Recipients in the field Cc, the first 200. */
readonly cc: ReadonlyArray<Address>;
/** Number of all recipients in the field To. */
readonly toCount: number;
/** Number of all recipients in the field Cc. */
readonly ccCount: number;
/** True if `to` or `cc` has not all recipients of its field. */
readonly truncated: boolean;
/** Time of arrival. */
readonly date: string;
/** Date field, as the sender wrote it; null if unreadable. */
readonly sentAt: string | null;
/** True until the message is marked as read. */
readonly unread: boolean;
/** True if the message is flagged (starred). */
readonly flagged: boolean;
/** True if the message is marked as answered. */
readonly answered: boolean;
/** True if the message is a draft. */
readonly draft: boolean;
/** Size of the whole message in bytes, as stored. */
readonly size: number;
/** True if the message has attachments. */
readonly hasAttachments: boolean;
/** The attachments of the message. */
readonly attachments: ReadonlyArray<AttachmentSummary>;
/** What a person reads first of the message, at most 200 characters, in listings and searches; null elsewhere, and where it has no text. */
readonly preview: string | null;
}

/** A folder of the mailbox. */
export interface Folder {
/** The role for a folder that has one, otherwise `f_…`. It does not change when the folder is renamed. */
readonly id: string;
/** Name of the folder, without its parents. */
readonly name: string;
/** Number of unread messages. */
readonly unreadCount: number;
/** Number of messages. */
readonly totalCount: number;
/** Names of the parents and of the folder, joined by `delimiter`. */
readonly path: string;
/** Purpose of the folder; null for a folder of the user. */
readonly role: "inbox" | "sent" | "drafts" | "trash" | "junk" | "archive" | null;
/** Id of the parent; null at the top level. */
readonly parentId: string | null;
/** Character between the names in `path`; null if the mail server has one level only. */
readonly delimiter: string | null;
/** False for a folder that contains folders only, no messages. */
readonly selectable: boolean;
}

/** Changes of a folder: `name`, `parentId` or both. A field that is left out stays as it is. */
export interface FolderChange {
/** Name of the folder: 1 to 255 bytes as IMAP encodes it, without control characters, the delimiter, `*`, `%`, `..` or spaces at either end. It must differ from its siblings' by more than case. */
readonly name?: string;
/** Id of the parent folder; null for the top level. Folders nest at most 10 levels deep. */
readonly parentId?: string | null;
}

/** A sender that the account may name. */
export interface Identity {
/** Id of the identity. */
readonly id: string;
/** Version for `If-Match`; another once a request changes the record. Also in the header `ETag`. */
readonly version: string;
/** Name in From; empty for none. The first is the account's own name. */
readonly name: string;
/** Address in From. */
readonly address: string;
/** Address for answers, unless a message names its own; null for none. */
readonly replyTo: string | null;
/** Signature for plain text. Postern stores it for the program that composes the message. */
readonly signatureText: string;
/** Signature for HTML, as it was stored: sanitise it before you show it. */
readonly signatureHtml: string;
/** Whether it is the sender of messages without `from`; exactly one identity is. */
readonly isDefault: boolean;
/** Whether messages may be sent from it. */
readonly verified: boolean;
}

/** Fields of an identity to change; omitted ones stay. */
export interface IdentityChange {
/** Name in From. Default: empty. */
readonly name?: string;
/** Address for answers; null or omitted for none. */
readonly replyTo?: string | null;
/** Signature for plain text. Default: empty. */
readonly signatureText?: string;
/** Signature for HTML. Default: empty. */
readonly signatureHtml?: string;
/** `true` makes it the sender of messages without `from`, in place of the present one. It has to be verified. */
readonly isDefault?: boolean;
}

/** The limits of the service. */
export interface Limits {
/** Messages per page if a request names no `limit`. */
readonly defaultPageSize: number;
/** Messages per page at most. */
readonly maxPageSize: number;
/** Size of a JSON request body at most, in bytes. */
readonly maxRequestBytes: number;
/** Size of an encoded message at most, in bytes; lower if the account's mail server announced a lower limit. */
readonly maxMessageBytes: number;
/** Size of an uploaded file at most, in bytes. */
readonly maxAttachmentBytes: number;
/** Files of a message at most. */
readonly maxAttachments: number;
/** Recipients of a message at most: `to`, `cc` and `bcc` together. */
readonly maxRecipients: number;
/** Messages that the account may send in a minute. */
readonly sendPerMinute: number;
/** Messages that the account may send in 24 hours. */
readonly sendPerDay: number;
/** Webhook endpoints of the account at most. */
readonly maxWebhookEndpoints: number;
/** Milliseconds from the end of a failed attempt to the next, for each retry of a webhook delivery. */
readonly webhookRetryDelays: ReadonlyArray<number>;
}

/** A folder of the user. */
export interface ManagedFolder {
/** Id of the folder. It does not change when the folder is renamed. */
readonly id: string;
/** Version for `If-Match`; another once a request changes the record. Also in the header `ETag`. */
readonly version: string;
/** Name of the folder, without its parents. */
readonly name: string;
/** Id of the parent; null at the top level. */
readonly parentId: string | null;
/** Time of creation; for a folder created by another client, when Postern first saw it. */
readonly createdAt: string;
/** Number of messages. */
readonly messageCount: number;
}

/** A message with its text, header fields and attachments. */
export interface Message {
/** Id of the message: opaque, and valid for this account only. Every move gives the message another. */
readonly id: string;
/** IMAP UID of the message in its folder. */
readonly uid: number;
/** Path of the folder that contains the message. */
readonly folder: string;
/** Message-ID field; null if there is none. */
readonly messageId: string | null;
/** Id of the conversation: that of the mail server, else derived from References, In-Reply-To or Message-ID; null if the message has none of them. It is the same for all messages of the conversation, except for an answer to an answer whose sender left out References: a derived id stands for the message that it answers. */
readonly threadId: string | null;
/** Subject, decoded; empty if there is none. */
readonly subject: string;
/** Address of the sender; empty if there is none. */
readonly from: string;
/** Display name of the sender; empty if there is none. */
readonly fromName: string;
/** Recipients in the field To, the first 200. */
readonly to: ReadonlyArray<Address>;
/** Recipients in the field Cc, the first 200. */
readonly cc: ReadonlyArray<Address>;
/** Number of all recipients in the field To. */
readonly toCount: number;
/** Number of all recipients in the field Cc. */
readonly ccCount: number;
/** True if `text` or `html` was cut at 2 MiB, `to` or `cc` at 200 recipients, or a value of `headers` at 16,384 characters; `rawUrl` has all of it. */
readonly truncated: boolean;
/** Time of arrival. */
readonly date: string;
/** Date field, as the sender wrote it; null if unreadable. */
readonly sentAt: string | null;
/** True until the message is marked as read. */
readonly unread: boolean;
/** True if the message is flagged (starred). */
readonly flagged: boolean;
/** True if the message is marked as answered. */
readonly answered: boolean;
/** True if the message is a draft. */
readonly draft: boolean;
/** Size of the whole message in bytes, as stored. */
readonly size: number;
/** True if the message has attachments. */
readonly hasAttachments: boolean;
/** All parts of the message that are not read as text. */
readonly attachments: ReadonlyArray<MessageAttachment>;
/** What a person reads first of the message, at most 200 characters, in listings and searches; null elsewhere, and where it has no text. */
readonly preview: string | null;
/** Whether a program wrote the message, such as a note of absence or a bulk mailing: do not answer by program. */
readonly automatic: boolean;
/** Reply-To field; empty if there is none. */
readonly replyTo: string;
/** Message-ID of the message that this one answers; null if there is none. */
readonly inReplyTo: string | null;
/** Message-IDs of the conversation, oldest first. */
readonly references: ReadonlyArray<string>;
/** Header fields in the order of the message, at most 500. */
readonly headers: ReadonlyArray<{
/** Name of the header field, as written. */
readonly name: string;
/** Value of the header field, decoded to Unicode. */
readonly value: string;
}>;
/** Plain text, made from the HTML if the message has none; null without either. */
readonly text: string | null;
/** `text` without quoted history and signature. Answers within quoted text are kept; where it is not certain what is quoted, nothing is cut. Null without a text. */
readonly newText: string | null;
/** The history that `newText` is without; empty if there is none, null without a text. */
readonly quotedText: string | null;
/** Sanitised HTML: nothing in it runs, and it loads nothing but attachments of this message. The addresses of remote pictures are in `data-remote-src`. Null if the message has no HTML. */
readonly html: string | null;
/** Results in the topmost Authentication-Results (RFC 8601), which the receiving mail server adds; null if there is none. */
readonly authentication: {
/** Result such as `pass`, `fail` or `none` (RFC 8601, 2.7); null if the server does not say. */
readonly spf: string | null;
/** Result such as `pass`, `fail` or `none` (RFC 8601, 2.7); null if the server does not say. */
readonly dkim: string | null;
/** Result such as `pass`, `fail` or `none` (RFC 8601, 2.7); null if the server does not say. */
readonly dmarc: string | null;
/** Name of the mail server that says so. */
readonly source: string;
} | null;
/** Number of remote resources that were removed from the HTML. */
readonly blockedRemote: number;
/** False if the message could not be parsed: `text`, `html` and `headers` are missing then, and `rawUrl` has all of it. */
readonly parsed: boolean;
/** Why the message could not be parsed; retry only if it is `busy`. Null if it was parsed. */
readonly parseFault: "malformed" | "too_slow" | "crashed" | "quarantined" | "busy" | null;
/** Path of the message as it was received. */
readonly rawUrl: string;
}

/** An attachment of a message. */
export interface MessageAttachment {
/** Id of the attachment, within its message. */
readonly id: string;
/** File name; null if there is none. */
readonly name: string | null;
/** Media type, as the sender declared it. */
readonly type: string;
/** Decoded size in bytes, estimated from the encoded size. */
readonly size: number;
/** True for a picture that the HTML shows. */
readonly inline: boolean;
/** Content-ID field; null if there is none. */
readonly contentId: string | null;
/** Path of the download, on this service and with the same credential. */
readonly url: string;
}

/** Messages, by `ids` or by `query`, and the action: `change` or `delete`. */
export interface MessageBatchRequest {
/** Ids of 1 to 1,000 messages. Give `ids` or `query`. */
readonly ids?: ReadonlyArray<string>;
readonly query?: BatchQuery;
readonly change?: MessageChange;
/** `trash` moves the messages to Trash; `permanent` destroys them. */
readonly delete?: "trash" | "permanent";
}

/** Changes of a message: at least one. A field that is left out stays as it is. */
export interface MessageChange {
/** `true` marks as unread, `false` as read. */
readonly unread?: boolean;
/** `true` sets the flag (star), `false` removes it. */
readonly flagged?: boolean;
/** `true` marks as answered, `false` removes the mark. */
readonly answered?: boolean;
/** Id of the folder to move to. */
readonly folderId?: string;
}

/** An address as listings have it. */
export interface NamedAddress {
/** Display name. */
readonly name?: string;
/** E-mail address. */
readonly address: string;
}

/** A draft to make. All fields are optional. */
export interface NewDraft {
/** Sender: the id of an identity, or its address with or without a name. Default: the default identity. */
readonly from?: string | NamedAddress;
/** Recipients: a comma-separated list, an address with a name, or an array. At most 100 with cc and bcc. Required unless `replyToMessageId` is given: an answer goes to the author by default. */
readonly to?: string | NamedAddress | ReadonlyArray<string | NamedAddress>;
/** Recipients of a copy, in the forms of `to`. */
readonly cc?: string | NamedAddress | ReadonlyArray<string | NamedAddress>;
/** Recipients that others do not see, in the forms of `to`. */
readonly bcc?: string | NamedAddress | ReadonlyArray<string | NamedAddress>;
/** Addresses for replies, in the forms of `to`. */
readonly replyTo?: string | NamedAddress | ReadonlyArray<string | NamedAddress>;
/** Subject; it may be empty. Required but in an answer or a forward, which take it from the original. */
readonly subject?: string;
/** Plain text. Without it and `html`, an answer or a forward quotes the original; else one is required. */
readonly text?: string;
/** HTML. Required without `text`. */
readonly html?: string;
/** Files to attach: at most 20, 25 MiB each. */
readonly attachments?: ReadonlyArray<AttachmentReference>;
/** Message-ID for the field In-Reply-To. */
readonly inReplyTo?: string;
/** Message-IDs for the field References, oldest first. */
readonly references?: string | ReadonlyArray<string>;
/** Id of the message that this one answers: sets In-Reply-To and References, marks it as answered. */
readonly replyToMessageId?: string;
/** Id of a message to forward: attaches its files, and those of its pictures that `html` shows as `cid:…`. */
readonly forwardOf?: string;
/** Further header fields: `Auto-Submitted`, `Precedence`, `Feedback-ID`, `Importance`, and names that begin with `List-` or `X-`, but not `X-Postern-Draft`. */
readonly headers?: Readonly<Record<string, string>>;
readonly unsubscribe?: Unsubscribe;
/** `true` answers `replyToMessageId` also if a program wrote that message, which is else 422 `automatic_message`. Default: `false`. */
readonly force?: boolean;
/** `true` raises `email.opened` when the HTML is opened. Default: `false`. */
readonly trackOpens?: boolean;
/** When to send, within a year. Default, and for a time in the past: now. */
readonly sendAt?: string;
}

/** The folder to create. */
export interface NewFolder {
/** Name of the folder: 1 to 255 bytes as IMAP encodes it, without control characters, the delimiter, `*`, `%`, `..` or spaces at either end. It must differ from its siblings' by more than case. */
readonly name: string;
/** Id of the parent folder; null for the top level. Folders nest at most 10 levels deep. */
readonly parentId?: string | null;
}

/** A sender to add. */
export interface NewIdentity {
/** Name in From. Default: empty. */
readonly name?: string;
/** Address for answers; null or omitted for none. */
readonly replyTo?: string | null;
/** Signature for plain text. Default: empty. */
readonly signatureText?: string;
/** Signature for HTML. Default: empty. */
readonly signatureHtml?: string;
/** `true` makes it the sender of messages without `from`, in place of the present one. It has to be verified. */
readonly isDefault?: boolean;
/** Address in From. */
readonly address: string;
}

/** The webhook endpoint to create. */
export interface NewWebhookEndpoint {
/** Address of the receiver: `https://` and a public host, 2,048 characters. */
readonly url: string;
/** Event types to deliver; `GET /api/settings/webhooks/event-types` lists them. */
readonly events: ReadonlyArray<string>;
/** A note for people, at most 500 characters. Default: empty. */
readonly description?: string;
/** When the last retry of an event fails: `literal` disables the endpoint; `no_success` only if no other delivery succeeded meanwhile. Default: `literal`. */
readonly disablePolicy?: "literal" | "no_success";
/** True: `Retry-After` of the receiver lengthens a wait, at most twofold. Default: false. */
readonly honourRetryAfter?: boolean;
/** True: the events of an account come one at a time, in the order they occurred. Default: false. */
readonly ordered?: boolean;
/** Concurrent requests to the endpoint, 1 to 10, or 32 for an application; 1 per account if it is ordered. Default: 4. */
readonly maxInFlight?: number;
}

/** A message in the outbox. */
export interface OutgoingItem {
/** Id of the message in the outbox. */
readonly id: string;
/** Message-ID of the message. */
readonly messageId: string;
/** Message-ID that the mail server gave the message instead, which recipients see; null if it kept ours. */
readonly providerMessageId: string | null;
/** State of the message, derived from its recipients: `sent` if it was sent to at least one. `held`: the key that asked for it was deleted; it waits to be released, and is cancelled after 30 days. */
readonly state: "scheduled" | "queued" | "held" | "sending" | "sent" | "failed" | "unknown" | "cancelled";
/** Subject of the message. */
readonly subject: string;
/** Addresses in the field To. */
readonly to: ReadonlyArray<string>;
/** Addresses in the field Cc. */
readonly cc: ReadonlyArray<string>;
/** State of each recipient, bcc included. */
readonly recipients: ReadonlyArray<OutgoingRecipient>;
/** Time of the request. */
readonly createdAt: string;
/** Time asked for by `sendAt`; null if there was none. */
readonly sendAt: string | null;
/** Attempts after which recipients had to wait for a retry. */
readonly attempts: number;
/** Time of the next attempt; null if there is none. */
readonly nextAttemptAt: string | null;
/** Why the message failed; null if it did not. */
readonly failure: {
/** Code of the reason, such as `over_quota`. */
readonly reason: string;
/** The reason in words. */
readonly detail: string;
} | null;
/** The copy in the Sent folder. */
readonly sentCopy: {
/** `none`: not due yet; `owed`: to be stored; `kept`: stored; `given_up`: Postern stopped trying to store it. */
readonly state: "none" | "owed" | "kept" | "given_up";
/** Time of the next attempt; null if there is none. */
readonly nextAttemptAt: string | null;
/** Why the copy is not stored; null if nothing failed. */
readonly failure: {
/** Code of the reason, such as `over_quota`. */
readonly reason: string;
/** The reason in words. */
readonly detail: string;
} | null;
};
}

/** The message to send. A new one needs `to`, `subject`, and `text` or `html`. */
export interface OutgoingMail {
/** Sender: the id of an identity, or its address with or without a name. Default: the default identity. */
readonly from?: string | NamedAddress;
/** Recipients: a comma-separated list, an address with a name, or an array. At most 100 with cc and bcc. Required unless `replyToMessageId` is given: an answer goes to the author by default. */
readonly to?: string | NamedAddress | ReadonlyArray<string | NamedAddress>;
/** Recipients of a copy, in the forms of `to`. */
readonly cc?: string | NamedAddress | ReadonlyArray<string | NamedAddress>;
/** Recipients that others do not see, in the forms of `to`. */
readonly bcc?: string | NamedAddress | ReadonlyArray<string | NamedAddress>;
/** Addresses for replies, in the forms of `to`. */
readonly replyTo?: string | NamedAddress | ReadonlyArray<string | NamedAddress>;
/** Subject; it may be empty. Required but in an answer or a forward, which take it from the original. */
readonly subject?: string;
/** Plain text. Without it and `html`, an answer or a forward quotes the original; else one is required. */
readonly text?: string;
/** HTML. Required without `text`. */
readonly html?: string;
/** Files to attach: at most 20, 25 MiB each. */
readonly attachments?: ReadonlyArray<AttachmentReference>;
/** Message-ID for the field In-Reply-To. */
readonly inReplyTo?: string;
/** Message-IDs for the field References, oldest first. */
readonly references?: string | ReadonlyArray<string>;
/** Id of the message that this one answers: sets In-Reply-To and References, marks it as answered. */
readonly replyToMessageId?: string;
/** Id of a message to forward: attaches its files, and those of its pictures that `html` shows as `cid:…`. */
readonly forwardOf?: string;
/** Further header fields: `Auto-Submitted`, `Precedence`, `Feedback-ID`, `Importance`, and names that begin with `List-` or `X-`, but not `X-Postern-Draft`. */
readonly headers?: Readonly<Record<string, string>>;
readonly unsubscribe?: Unsubscribe;
/** `true` answers `replyToMessageId` also if a program wrote that message, which is else 422 `automatic_message`. Default: `false`. */
readonly force?: boolean;
/** `true` raises `email.opened` when the HTML is opened. Default: `false`. */
readonly trackOpens?: boolean;
/** When to send, within a year. Default, and for a time in the past: now. */
readonly sendAt?: string;
}

/** A recipient of an outgoing message. */
export interface OutgoingRecipient {
/** Address of the recipient. */
readonly address: string;
/** `unknown`: the connection was cut after the message was sent, so it may have arrived; it is not sent again. */
readonly state: "queued" | "sending" | "sent" | "failed" | "unknown" | "cancelled";
/** Enhanced status code (RFC 3463) of the last answer; null before the first. */
readonly status: string | null;
/** Last answer of the SMTP server, in its words; null before the first. */
readonly detail: string | null;
}

/** The account of a session. */
export interface OwnAccount {
/** Address of the account. */
readonly email: string;
/** `active`; `needs_reauth`: the mail server refuses the credential; `paused` by its owner; `unreachable`: its mail servers do not answer. */
readonly state: "active" | "needs_reauth" | "paused" | "unreachable";
/** Why the account is not active; null if it is, or is paused. */
readonly reason: {
/** What is wrong: a `cause` of checks, or a fault of the OAuth2 grant. */
readonly code: "not_found" | "refused" | "timeout" | "tls_failed" | "certificate_untrusted" | "starttls_missing" | "not_a_mail_server" | "auth_refused" | "app_password_required" | "oauth_required" | "basic_auth_disabled" | "imap_disabled" | "too_many_connections" | "unavailable" | "address_denied" | "server_flood" | "protocol" | "grant_revoked" | "password_changed" | "grant_expired" | "mfa_required" | "consent_required" | "token_lost" | "token_refused" | "app_misconfigured" | "provider_unavailable" | "sign_in_unclear";
/** What the code means, and what to do. */
readonly message: string;
/** Since when. */
readonly since: string;
} | null;
/** The sign-in at its mail servers. */
readonly auth: {
/** How it signs in. */
readonly kind: "password" | "oauth2" | "application";
/** Id of the OAuth2 app; null for passwords. */
readonly provider: string | null;
};
}

/** A recipient that the SMTP server refused. */
export interface RejectedRecipient {
/** Address of the recipient. */
readonly recipient: string;
/** Enhanced status code (RFC 3463). Class 5 is permanent; class 4 is retried. */
readonly status: string;
/** The answer of the SMTP server, in its words. */
readonly detail: string;
}

/** A deleted folder, and where its messages are now. */
export interface RemovedFolder {
/** Id that the folder had. */
readonly id: string;
/** Always true. */
readonly deleted: true;
/** Id of the folder that contains the messages now; null if they were destroyed. */
readonly movedTo: string | null;
/** Number of messages that were moved. */
readonly movedCount: number;
}

/** A deleted message, and where it is now. */
export interface RemovedMessage {
/** Id that the message had. */
readonly id: string;
/** Always true. */
readonly deleted: true;
/** Id of the folder that contains the message now; null if it was destroyed. */
readonly movedTo: string | null;
/** Id of the message from now on; null if it is deleted, or if the mail server does not report it. */
readonly newId: string | null;
}

/** The events to replay. */
export interface ReplayOrder {
/** Events from this time on; at most 14 days ago. */
readonly since: string;
/** Events before this time. Default: now. */
readonly until?: string;
/** States of the deliveries to replay. Default: both. */
readonly states?: ReadonlyArray<"held" | "exhausted">;
}

/** A replay in progress. */
export interface ReplayTicket {
/** Id of the replay. */
readonly id: string;
/** Deliveries queued so far. */
readonly queued: number;
/** False while more deliveries are being queued. */
readonly complete: boolean;
}

/** A session: one sign-in of one client. */
export interface Session {
/** Id of the session. */
readonly id: string;
/** Address of the account. */
readonly email: string;
/** `bearer`: an API client; `cookie`: a browser; `host`: the program that embeds the service. */
readonly kind: "bearer" | "cookie" | "host";
/** True for the session of this request. */
readonly current: boolean;
/** Time of the sign-in. */
readonly createdAt: string;
/** Time of the last request, to within five minutes. */
readonly lastUsedAt: string;
/** When the session ends unless it is used before. */
readonly expiresAt: string;
/** Network of the sign-in: an IPv4 address or an IPv6 /64. */
readonly network: string;
/** `User-Agent` of the sign-in; empty if there was none. */
readonly userAgent: string;
}

/** Writes `List-Unsubscribe`, and with `oneClick` also `List-Unsubscribe-Post`. */
export interface Unsubscribe {
/** The https address of a page on which a recipient unsubscribes. */
readonly url: string;
/** `true`: a POST to `url` unsubscribes without a question (RFC 8058). Default: `false`. */
readonly oneClick?: boolean;
}

/** An uploaded file. */
export interface UploadedFile {
/** Id of the upload. */
readonly id: string;
/** File name, without folders. */
readonly name: string;
/** Relative path for `attachments` of `POST /api/send`, and to download the file. */
readonly url: string;
/** Media type, as the client declared it. */
readonly type: string;
/** Size in bytes. */
readonly size: number;
}

/** An attempt to deliver an event. */
export interface WebhookAttempt {
/** Number of the attempt, from 1. */
readonly n: number;
/** Start of the attempt. */
readonly startedAt: string;
/** Milliseconds from the name look-up to the last byte of the answer. */
readonly ms: number;
/** HTTP status of the answer; null if there was none. */
readonly status: number | null;
/** Why there was no complete answer, such as `timeout` or `tls_expired`; null if there was one. */
readonly errorCode: string | null;
/** Beginning of the answer's body, at most 4 KiB. */
readonly excerpt: string;
}

/** An event for an endpoint, with the attempts to deliver it. */
export interface WebhookDelivery {
/** Id of the delivery. */
readonly id: string;
/** Id of the event, as in the body and in the header `webhook-id`. */
readonly eventId: string;
/** Event type. */
readonly event: string;
/** Time of the event. */
readonly occurredAt: string;
/** `event`: the event itself; `replay` or `resend`: a request. */
readonly trigger: "event" | "replay" | "resend";
/** `held`: waits for a replay, because the endpoint is or was disabled; `exhausted`: the last retry failed. */
readonly state: "pending" | "held" | "in_flight" | "succeeded" | "exhausted" | "cancelled";
/** Failed attempts since the delivery began, or since its last replay. */
readonly failures: number;
/** Time of the next attempt; null if none is due. */
readonly nextAttemptAt: string | null;
/** The attempts, oldest first. */
readonly attempts: ReadonlyArray<WebhookAttempt>;
}

/** A receiver of events. */
export interface WebhookEndpoint {
/** Id of the endpoint. */
readonly id: string;
/** Version for `If-Match`; another once a request changes the record. Also in the header `ETag`. */
readonly version: string;
/** Address of the receiver. */
readonly url: string;
/** A note for people; empty if there is none. */
readonly description: string;
/** Event types that are delivered. */
readonly events: ReadonlyArray<string>;
/** False: events are held until the endpoint is enabled and replayed. */
readonly enabled: boolean;
/** Time it was disabled; null if it is enabled. */
readonly disabledAt: string | null;
/** `owner`: by request; `exhausted`: the last retry of an event failed; null if it is enabled. */
readonly disabledReason: "owner" | "exhausted" | null;
/** When the last retry of an event fails: `literal` disables the endpoint; `no_success` only if no other delivery succeeded meanwhile. Default: `literal`. */
readonly disablePolicy: "literal" | "no_success";
/** True: `Retry-After` of the receiver lengthens a wait, at most twofold. Default: false. */
readonly honourRetryAfter: boolean;
/** True: the events of an account come one at a time, in the order they occurred. Default: false. */
readonly ordered: boolean;
/** Concurrent requests to the endpoint. */
readonly maxInFlight: number;
/** The end of the current signing secret. */
readonly secretHint: string;
/** Time of creation. */
readonly createdAt: string;
/** Time of the last change. */
readonly updatedAt: string;
/** Time of the last attempt; null before the first. */
readonly lastDeliveryAt: string | null;
/** HTTP status of the last attempt; null if it got no answer. */
readonly lastStatus: number | null;
/** Failed attempts since the last success. */
readonly consecutiveFailures: number;
}

/** Changes of a webhook endpoint. A field that is left out stays as it is. */
export interface WebhookEndpointChange {
/** Address of the receiver: `https://` and a public host, 2,048 characters. */
readonly url?: string;
/** Event types to deliver; `GET /api/settings/webhooks/event-types` lists them. */
readonly events?: ReadonlyArray<string>;
/** A note for people, at most 500 characters. Default: empty. */
readonly description?: string;
/** When the last retry of an event fails: `literal` disables the endpoint; `no_success` only if no other delivery succeeded meanwhile. Default: `literal`. */
readonly disablePolicy?: "literal" | "no_success";
/** True: `Retry-After` of the receiver lengthens a wait, at most twofold. Default: false. */
readonly honourRetryAfter?: boolean;
/** True: the events of an account come one at a time, in the order they occurred. Default: false. */
readonly ordered?: boolean;
/** Concurrent requests to the endpoint, 1 to 10, or 32 for an application; 1 per account if it is ordered. Default: 4. */
readonly maxInFlight?: number;
}

/** A new webhook endpoint with its signing secret. */
export interface WebhookEndpointWithSecret {
/** Id of the endpoint. */
readonly id: string;
/** Version for `If-Match`; another once a request changes the record. Also in the header `ETag`. */
readonly version: string;
/** Address of the receiver. */
readonly url: string;
/** A note for people; empty if there is none. */
readonly description: string;
/** Event types that are delivered. */
readonly events: ReadonlyArray<string>;
/** False: events are held until the endpoint is enabled and replayed. */
readonly enabled: boolean;
/** Time it was disabled; null if it is enabled. */
readonly disabledAt: string | null;
/** `owner`: by request; `exhausted`: the last retry of an event failed; null if it is enabled. */
readonly disabledReason: "owner" | "exhausted" | null;
/** When the last retry of an event fails: `literal` disables the endpoint; `no_success` only if no other delivery succeeded meanwhile. Default: `literal`. */
readonly disablePolicy: "literal" | "no_success";
/** True: `Retry-After` of the receiver lengthens a wait, at most twofold. Default: false. */
readonly honourRetryAfter: boolean;
/** True: the events of an account come one at a time, in the order they occurred. Default: false. */
readonly ordered: boolean;
/** Concurrent requests to the endpoint. */
readonly maxInFlight: number;
/** The end of the current signing secret. */
readonly secretHint: string;
/** Time of creation. */
readonly createdAt: string;
/** Time of the last change. */
readonly updatedAt: string;
/** Time of the last attempt; null before the first. */
readonly lastDeliveryAt: string | null;
/** HTTP status of the last attempt; null if it got no answer. */
readonly lastStatus: number | null;
/** Failed attempts since the last success. */
readonly consecutiveFailures: number;
/** Signing secret, `whsec_…`. Store it now: it is not shown again, and null in the answer to a repeat with the same `Idempotency-Key`. */
readonly secret: string | null;
/** Accounts in the reach of an application's endpoint that are not watched yet; their events begin with the watch. */
readonly watchesPending: number;
}

/** An event type. */
export interface WebhookEventType {
/** Name of the event type. */
readonly event: string;
/** When the event occurs. */
readonly meaning: string;
/** JSON Schema of `data`. */
readonly schema: unknown;
/** A sample body. */
readonly sample: unknown;
}

/** The answer of the receiver to a sample event. */
export interface WebhookTestResult {
/** True if the receiver answered 2xx. */
readonly delivered: boolean;
/** HTTP status of the answer; null if there was none. */
readonly status: number | null;
/** Why there was no complete answer, such as `timeout` or `tls_expired`; null if there was one. */
readonly errorCode: string | null;
/** Milliseconds from the name look-up to the last byte of the answer. */
readonly ms: number;
/** Beginning of the answer's body, at most 4 KiB. */
readonly excerpt: string;
}
