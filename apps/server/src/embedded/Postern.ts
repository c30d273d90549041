import type { IncomingMessage, ServerResponse } from "node:http";
import type { EventOf, EventType, MailEvent } from "@postern/client";
import type { HostCalls } from "./direct-calls.ts";
import type { Operations } from "./operations.d.ts";

export type { EventData, EventOf, EventType, MailEvent } from "@postern/client";

/** Options of the events of one account. */
export interface EventsOptions {
  /** The `id` of the last received event. The events after this event are replayed first. */
  readonly lastEventId?: string;
  /** The service calls this function when events before the next event may be missing. */
  readonly onGap?: () => void;
}

/** The options of the stream of events of all accounts. */
export interface FollowOptions<Type extends EventType = EventType> {
  /**
   * The id of the last handled event, or a position of the feed (`next` of `GET /api/changes`). By default the stream
   * begins with new events.
   */
  readonly after?: string | undefined;
  /** The types of events; all by default. */
  readonly types?: ReadonlyArray<Type> | undefined;
  /** Addresses or ids of accounts; all by default. */
  readonly accounts?: ReadonlyArray<string> | undefined;
}

/** An event of one of these types. */
export type Followed<Type extends EventType> = { readonly [One in Type]: EventOf<One> }[Type];

/** Yields events until the caller leaves the loop or the service stops; reads nothing before the loop begins. */
export interface Events {
  /**
   * The events of all accounts; their mailboxes are watched while the stream is open. Each event is delivered at least
   * once. Store the id of the last handled event, and pass this id as `after`. The events of the ten minutes before
   * that event are repeated. Rejects with `feed_expired` if later events are no longer kept (14 days).
   */
  <const Type extends EventType = EventType>(options?: FollowOptions<Type>): AsyncIterable<Followed<Type>>;
  /** The events of one account. */
  (address: string, options?: EventsOptions): AsyncIterable<MailEvent>;
}

/** The tokens of a new session. */
export interface Tokens {
  /** The access token, sent as `Authorization: Bearer …`. */
  readonly token: string;
  readonly refreshToken: string;
}

/** Facts about a request that a fetch `Request` does not contain. */
export interface ClientOptions {
  /**
   * The IP address of the client, for which failed sign-ins are throttled. Without an address, all sign-ins count as
   * from one network.
   */
  readonly clientAddress?: string | undefined;
}

/** A mailbox service inside another program. Direct calls take the address of the account without authenticating it. */
export interface Postern extends Operations, HostCalls {
  /**
   * Resolves once the tables match this version. `createPostern` migrates the tables; a deployment calls `migrate` and
   * then `stop` before it starts the new version.
   */
  readonly migrate: () => Promise<void>;
  /** Starts the background work: sending, webhooks, watching mailboxes, housekeeping. */
  readonly start: () => Promise<void>;
  /** Answers the requests in flight, then releases everything. No timer, connection, file or lease remains. */
  readonly stop: () => Promise<void>;
  /**
   * Answers a request of Node's HTTP server, of Express or of Fastify (`request.raw`, `reply.raw`). Can be passed as a
   * function without `this`.
   */
  readonly node: (request: IncomingMessage, response: ServerResponse) => void;
  /** Answers a request of the fetch standard, for Hono, Next and Bun. Can be passed as a function without `this`. */
  readonly fetch: (request: Request, options?: ClientOptions) => Promise<Response>;
  /**
   * Signs in with the password of the mailbox, which is stored encrypted for later calls while the account has a
   * session. To add an account that stays until it is removed, call `accounts.add`.
   */
  readonly signIn: (address: string, password: string, options?: ClientOptions) => Promise<Tokens>;
  readonly events: Events;
}
