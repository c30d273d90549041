import { allPages, type AllPages } from "./calls/all-pages.ts";
import { apiCall } from "./calls/api-call.ts";
import type { ApiCall } from "./calls/ApiCall.ts";
import { downloadFile, type DownloadOptions } from "./calls/files.ts";
import { isOfServices } from "./calls/is-of-services.ts";
import { nounsOf, operationCall } from "./calls/operation-call.ts";
import { type Fetch, sendToService } from "./calls/send-to-service.ts";
import type { AccountCalls, ServiceCalls } from "./contract/contract.d.ts";
import { OPERATIONS } from "./contract/operation-table.ts";
import { type EventsOptions, followEvents } from "./events/follow-events.ts";
import type { MailEvent } from "./events/MailEvent.ts";
import { syncMailbox, type SyncOptions } from "./events/sync-mailbox.ts";
import type { KeyOptions } from "./session/ClientOptions.ts";
import { connect } from "./session/connection.ts";

/** One account of a service, used with a key. */
export interface AccountClient extends AccountCalls {
  /** Iterates over the events of the account as they happen; reconnects after a lost connection. */
  readonly events: (options?: EventsOptions) => AsyncGenerator<MailEvent, void>;
  /** Downloads an attachment from its `url`, or a message from its `rawUrl`; `body` of the answer is the stream. */
  readonly download: (url: string, options?: DownloadOptions) => Promise<Response>;
}

/** A service with all accounts that a key reaches. The client itself is a function of a route, such as `client("GET /api/accounts")`. */
export interface ServiceClient extends ServiceCalls, ApiCall {
  /** Returns the calls on the account with this address or id. */
  readonly account: (account: string) => AccountClient;
  /** Iterates over the events of all accounts that the key reaches as they happen; reconnects after a lost connection. */
  readonly events: (options?: EventsOptions) => AsyncGenerator<MailEvent, void>;
  /** Synchronizes a copy of an account's mailbox until the signal is aborted, then rejects with the signal's reason. */
  readonly sync: (account: string, options: SyncOptions) => Promise<never>;
  /** Iterates over the items of all pages of a route. */
  readonly all: AllPages;
}

/** Returns a client that authenticates with a service key. It sends nothing before the first call. */
export const serviceClient = (options: KeyOptions): ServiceClient => {
  const { baseUrl, fetch } = connect(options);
  const send = sendToService(fetch);
  const call = apiCall(baseUrl, send);
  const callsBy = (sending: Fetch) => (operation: (typeof OPERATIONS)[number]) =>
    operationCall((path, init) => sending(baseUrl + path, init), operation);
  return Object.assign(call, nounsOf(OF_SERVICES, callsBy(send)) as ServiceCalls, {
    account: (account: string): AccountClient => {
      const sending = withAccountHeader(account, send);
      return Object.assign(nounsOf(OF_ACCOUNTS, callsBy(sending)) as AccountCalls, {
        events: (events: EventsOptions = {}) => followEvents(baseUrl, sending, events),
        download: (url: string, download?: DownloadOptions) => downloadFile(baseUrl, sending, url, download),
      });
    },
    events: (events: EventsOptions = {}) => followEvents(baseUrl, send, events),
    sync: (account: string, options: SyncOptions) => syncMailbox(baseUrl, withAccountHeader(account, send), options),
    all: allPages(call),
  });
};

const OF_ACCOUNTS = OPERATIONS.filter(({ of }) => of === "account");
const OF_SERVICES = OPERATIONS.filter(isOfServices);

const withAccountHeader =
  (account: string, send: Fetch): Fetch =>
  (url, init) => {
    const headers = new Headers(init.headers);
    headers.set("postern-account", account);
    return send(url, { ...init, headers });
  };
