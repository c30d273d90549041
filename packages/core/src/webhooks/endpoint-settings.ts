import { Result } from "effect";
import type { EventType } from "../events/index.ts";
import { isEventType } from "../events/neighbours.ts";
import type { EndpointOwner } from "./EndpointOwner.ts";
import { EndpointInvalid, EventTypesUnknown } from "./errors.ts";

/** When an exhausted delivery disables its endpoint: always, or only if no delivery succeeded meanwhile (spec 7). */
export type DisablePolicy = "literal" | "no_success";

/** The settings of an endpoint that its owner chooses. */
export interface EndpointSettings {
  readonly url: string;
  readonly events: ReadonlyArray<EventType>;
  readonly description: string;
  readonly disablePolicy: DisablePolicy;
  readonly honourRetryAfter: boolean;
  readonly ordered: boolean;
  /** Concurrent POSTs, at most 10, or 32 for an application; one per account if `ordered`. */
  readonly maxInFlight: number;
}

/** The settings of an endpoint whose owner does not name them. */
export const DEFAULT_SETTINGS = {
  description: "",
  disablePolicy: "literal",
  honourRetryAfter: false,
  ordered: false,
  maxInFlight: 4,
} as const satisfies Omit<EndpointSettings, "url" | "events">;

/** What an owner asks for: a setting that is left out has its default. */
export type ChosenSettings = Pick<EndpointSettings, "url" | "events"> & Partial<EndpointSettings>;

const NAMES = Object.keys(DEFAULT_SETTINGS) as ReadonlyArray<keyof typeof DEFAULT_SETTINGS>;

/** Returns the settings that a request or record names, with these event types. */
export const settingsOf = (
  asked: Omit<ChosenSettings, "events">,
  events: EndpointSettings["events"],
): EndpointSettings => {
  const named = Object.fromEntries(NAMES.map((name) => [name, asked[name] ?? DEFAULT_SETTINGS[name]]));
  return { ...(named as Required<Omit<ChosenSettings, "url" | "events">>), url: asked.url, events };
};

/** The settings that an owner asks for; the event types are not yet validated. */
export interface EndpointRequest extends Partial<Omit<EndpointSettings, "url" | "events">> {
  readonly url: string;
  readonly events: ReadonlyArray<string>;
}

const MAX_IN_FLIGHT = { Account: 10, Application: 32 } as const;
const MAX_DESCRIPTION_CHARS = 500;

/** Returns what a request asks for beyond the limits of an endpoint (spec 7.6), by field. */
export const endpointFaults = (
  { _tag }: EndpointOwner,
  { description = "", events, maxInFlight = 1 }: Partial<EndpointRequest>,
): ReadonlyArray<{ readonly field: string; readonly message: string }> => {
  const most = MAX_IN_FLIGHT[_tag];
  const isInFlight = Number.isInteger(maxInFlight) && maxInFlight >= 1 && maxInFlight <= most;
  return [
    ...(isInFlight ? [] : [{ field: "maxInFlight", message: `must be a whole number from 1 to ${most}` }]),
    ...(description.length <= MAX_DESCRIPTION_CHARS
      ? []
      : [{ field: "description", message: `must be at most ${MAX_DESCRIPTION_CHARS} characters` }]),
    ...(events?.length === 0 ? [{ field: "events", message: "must name at least one event type" }] : []),
  ];
};

/** Returns the address of a request, and its event types without duplicates. */
export const checkRequest = (
  owner: EndpointOwner,
  request: Partial<EndpointRequest>,
): Result.Result<
  { readonly url?: string | undefined; readonly events?: ReadonlyArray<EventType> | undefined },
  EndpointInvalid | EventTypesUnknown
> => {
  const { url, events } = request;
  const errors = endpointFaults(owner, request);
  if (errors.length > 0) return Result.fail(new EndpointInvalid({ errors }));
  const unknown = (events ?? []).flatMap((type, place) => (isEventType(type) ? [] : [`events.${place}`]));
  if (unknown.length > 0) return Result.fail(new EventTypesUnknown({ fields: unknown }));
  return Result.succeed({ url, events: events && ([...new Set(events)] as ReadonlyArray<EventType>) });
};
