import { allPages, type AllPages } from "./calls/all-pages.ts";
import { apiCall } from "./calls/api-call.ts";
import type { ApiCall } from "./calls/ApiCall.ts";
import type { ClientOptions } from "./session/ClientOptions.ts";
import { connect } from "./session/connection.ts";
import { downloadFile, type DownloadOptions, uploadFile } from "./calls/files.ts";
import type { UploadedFile } from "./contract/contract.d.ts";
import type { FileToUpload } from "./contract/FileToUpload.ts";
import { type EventsOptions, followEvents } from "./events/follow-events.ts";
import type { MailEvent } from "./events/MailEvent.ts";
import { syncMailbox, type SyncOptions } from "./events/sync-mailbox.ts";
import { sendToService } from "./calls/send-to-service.ts";

/**
 * The API of a service: a function of a route, such as `postern("GET /api/folders")`, with methods for tasks of more
 * than one request. Requests are signed and retried.
 */
export interface PosternClient extends ApiCall {
  /** Signs in, and uses the tokens for later requests (spec 3.2). */
  readonly signIn: (email: string, password: string) => Promise<void>;
  /** Ends the session, and drops its tokens. */
  readonly signOut: () => Promise<void>;
  /** Iterates over the items of all pages of a listing. */
  readonly all: AllPages;
  /** Iterates over the events of the mailbox as they happen; reconnects after a lost connection. */
  readonly events: (options?: EventsOptions) => AsyncGenerator<MailEvent, void>;
  /** Synchronizes a copy of the mailbox until the signal is aborted, then rejects with the signal's reason. */
  readonly sync: (options: SyncOptions) => Promise<never>;
  /** Uploads a file for `attachments` of `POST /api/send`. */
  readonly upload: (file: FileToUpload) => Promise<UploadedFile>;
  /** Downloads an attachment from its `url`, or a message from its `rawUrl`; `body` of the answer is the stream. */
  readonly download: (url: string, options?: DownloadOptions) => Promise<Response>;
}

/** Returns a client that signs in, or uses the tokens of an earlier sign-in. Nothing is sent before the first call. */
export const sessionClient = (options: ClientOptions): PosternClient => {
  const connection = connect(options);
  const { baseUrl, useTokens } = connection;
  const send = sendToService(connection.fetch);
  const call = apiCall(baseUrl, send);
  return Object.assign(call, {
    signIn: async (email: string, password: string) => {
      const { token, refreshToken } = await call("POST /api/auth/mobile-login", { payload: { email, password } });
      useTokens({ token, refreshToken });
    },
    signOut: async () => {
      await call("POST /api/auth/logout");
      useTokens(null);
    },
    all: allPages(call),
    events: (events: EventsOptions = {}) => followEvents(baseUrl, send, events),
    sync: (options: SyncOptions) => syncMailbox(baseUrl, send, options),
    upload: (file: FileToUpload) => uploadFile(baseUrl, send, file),
    download: (url: string, download?: DownloadOptions) => downloadFile(baseUrl, send, url, download),
  });
};
