import type { IncomingMessage, ServerResponse } from "node:http";
import type { Operations } from "./operations.d.ts";

/** An event, as webhooks carry it. */
export interface MailEvent {
  readonly id: string;
  /** Such as `email.received`; `postern.webhooks.eventTypes` lists all. */
  readonly event: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface EventsOptions {
  /** `id` of the last event that was seen: the events after it come first. */
  readonly lastEventId?: string;
  /** Called where events may be missing before the next one. */
  readonly onGap?: () => void;
}

/** Tokens of a new session. */
export interface Tokens {
  /** Goes into `Authorization: Bearer …`. */
  readonly token: string;
  readonly refreshToken: string;
}

/** A mailbox service inside another program. Direct calls take the address of the account and believe it. */
export interface Postern extends Operations {
  /** Runs what goes on beside requests: sending, webhooks, watching mailboxes, housekeeping. */
  readonly start: () => Promise<void>;
  /** Answers what is under way, then ends everything: no timer, connection, file or lease is left. */
  readonly stop: () => Promise<void>;
  /** Answers a request of Node's HTTP server, of Express or of Fastify (`request.raw`, `reply.raw`). Needs no `this`. */
  readonly node: (request: IncomingMessage, response: ServerResponse) => void;
  /** Answers a request of the fetch standard, for Hono, Next and Bun. Needs no `this`. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** Signs in with the password of the mailbox, which is kept, sealed, for the calls that come later. */
  readonly signIn: (address: string, password: string) => Promise<Tokens>;
  /** The events of an account from now on, until the loop is left or the service stops. */
  readonly events: (address: string, options?: EventsOptions) => AsyncIterable<MailEvent>;
}
