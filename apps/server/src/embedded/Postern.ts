import type { IncomingMessage, ServerResponse } from "node:http";
import type { Operations } from "./operations.d.ts";

/** An event, in the form that webhooks deliver. */
export interface MailEvent {
  readonly id: string;
  /** Such as `email.received`; `postern.webhooks.eventTypes` lists all. */
  readonly event: string;
  readonly timestamp: string;
  /** The account that the event is about. */
  readonly account: { readonly id: string; readonly email: string };
  readonly data: Readonly<Record<string, unknown>>;
}

export interface EventsOptions {
  /** `id` of the last event received: the events after it are replayed first. */
  readonly lastEventId?: string;
  /** Called when events before the next one may be missing. */
  readonly onGap?: () => void;
}

/** The tokens of a new session. */
export interface Tokens {
  /** The access token, sent as `Authorization: Bearer …`. */
  readonly token: string;
  readonly refreshToken: string;
}

/** What a request of the fetch standard does not say. */
export interface ClientOptions {
  /** The IP address that the request came from, by which failed sign-ins are throttled. Without it all are of one network. */
  readonly clientAddress?: string | undefined;
}

/** A mailbox service inside another program. Direct calls take the address of the account without authenticating it. */
export interface Postern extends Operations {
  /** Starts the background work: sending, webhooks, watching mailboxes, housekeeping. */
  readonly start: () => Promise<void>;
  /** Answers the requests in flight, then releases everything: no timer, connection, file or lease is left. */
  readonly stop: () => Promise<void>;
  /** Answers a request of Node's HTTP server, of Express or of Fastify (`request.raw`, `reply.raw`). Needs no `this`. */
  readonly node: (request: IncomingMessage, response: ServerResponse) => void;
  /** Answers a request of the fetch standard, for Hono, Next and Bun. Needs no `this`. */
  readonly fetch: (request: Request, options?: ClientOptions) => Promise<Response>;
  /** Signs in with the password of the mailbox, which is stored sealed for later calls. */
  readonly signIn: (address: string, password: string, options?: ClientOptions) => Promise<Tokens>;
  /** Yields the events of an account from now on, until the caller leaves the loop or the service stops. */
  readonly events: (address: string, options?: EventsOptions) => AsyncIterable<MailEvent>;
}
