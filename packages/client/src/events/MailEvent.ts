import type { EventData } from "../contract/contract.d.ts";

/** Every type of event, such as `email.received`. */
export type EventType = keyof EventData;

/** The body of an event of one type, with or without an account. */
export interface EventBody<Type extends EventType> {
  readonly id: string;
  readonly event: Type;
  /** The time in ISO 8601, UTC. */
  readonly timestamp: string;
  readonly data: EventData[Type];
}

/** An event of one type of an account. */
export interface EventOf<Type extends EventType> extends EventBody<Type> {
  /** The account of the event. */
  readonly account: { readonly id: string; readonly email: string };
}

/**
 * An event as streams deliver it (spec 7.1). `event` determines the type of `data`. An event with the same `id` may be
 * delivered more than once. A newer service may have events that this version does not list.
 */
export type MailEvent = { readonly [Type in EventType]: EventOf<Type> }[EventType];
