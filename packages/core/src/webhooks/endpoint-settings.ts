import { Effect } from "effect";
import type { EventType } from "../events/index.ts";
import { type FolderChoice, INBOX_ALONE, isEventType } from "../events/neighbours.ts";
import type { FolderRecords } from "../folders/index.ts";
import { isFolderRole } from "../mail/neighbours.ts";
import { InputInvalid } from "../shared/index.ts";
import { checkerOf } from "../shared/neighbours.ts";
import { wholeBetween } from "../shared/rules.ts";
import type { EndpointOwner } from "./EndpointOwner.ts";
import { MAX_IN_FLIGHT, webhookFields } from "./rules.ts";

/** Checks the fields of a request about an endpoint or its deliveries. */
export const checkInput = checkerOf(webhookFields);

/** The condition on which an exhausted delivery disables its endpoint: always, or only if no delivery succeeded meanwhile (spec 7). */
export type DisablePolicy = "literal" | "no_success";

/** The settings of an endpoint, which its owner chooses. */
export interface EndpointSettings {
  readonly url: string;
  readonly events: ReadonlyArray<EventType>;
  readonly folders: FolderChoice;
  readonly description: string;
  readonly disablePolicy: DisablePolicy;
  readonly honourRetryAfter: boolean;
  readonly ordered: boolean;
  /** The maximum number of concurrent POSTs: up to 10, or 32 for an application; one per account if `ordered`. */
  readonly maxInFlight: number;
}

/** The default settings of an endpoint. */
export const DEFAULT_SETTINGS = {
  folders: INBOX_ALONE,
  description: "",
  disablePolicy: "literal",
  honourRetryAfter: false,
  ordered: false,
  maxInFlight: 4,
} as const satisfies Omit<EndpointSettings, "url" | "events">;

/** The settings that an owner chose; omitted settings have their defaults. */
export type ChosenSettings = Pick<EndpointSettings, "url" | "events"> & Partial<EndpointSettings>;

const NAMES = Object.keys(DEFAULT_SETTINGS) as ReadonlyArray<keyof typeof DEFAULT_SETTINGS>;

/** Returns the settings of a request or record, with these event types. */
export const settingsOf = (
  asked: Omit<ChosenSettings, "events">,
  events: EndpointSettings["events"],
): EndpointSettings => {
  const named = Object.fromEntries(NAMES.map((name) => [name, asked[name] ?? DEFAULT_SETTINGS[name]]));
  return { ...(named as Required<Omit<ChosenSettings, "url" | "events">>), url: asked.url, events };
};

/** An owner's requested settings; the event types are not yet validated. */
export interface EndpointRequest extends Partial<Omit<EndpointSettings, "url" | "events">> {
  readonly url: string;
  readonly events: ReadonlyArray<string>;
}

const UNKNOWN_EVENT = "is not an event type: GET /api/settings/webhooks/event-types lists them";

/** Returns the error for fields that contain unknown event types. */
export const eventsUnknown = (fields: ReadonlyArray<string>) =>
  new InputInvalid({ errors: fields.map((field) => ({ field, message: UNKNOWN_EVENT })) });

const checkOwn = {
  Account: checkerOf({ maxInFlight: wholeBetween(1, MAX_IN_FLIGHT.Account) }),
  Application: checkerOf({ maxInFlight: wholeBetween(1, MAX_IN_FLIGHT.Application) }),
};

const isFolderId = (id: string): boolean => id === "*" || isFolderRole(id) || /^f_[\w-]{1,60}$/.test(id);

/**
 * Checks the folders of a request: roles, `*` or ids. Ids in the request for an account's endpoint must be ids of the
 * account's folders.
 */
export const checkFolders = Effect.fnUntraced(function* (
  records: FolderRecords["Service"],
  owner: EndpointOwner,
  folders: FolderChoice,
) {
  const known = owner._tag === "Account" ? yield* records.load(owner.account) : undefined;
  const isKnown = (id: string) =>
    isFolderId(id) && (!id.startsWith("f_") || known === undefined || known.some((one) => one.id === id));
  const message = "is no folder: name a role, the id of a folder, or * for all but Junk and Trash";
  const errors = folders.flatMap((id, place) => (isKnown(id) ? [] : [{ field: `folders.${place}`, message }]));
  if (errors.length > 0) return yield* new InputInvalid({ errors });
});

/** Checks a request (spec 7.6); returns its event types without duplicates. */
export const checkRequest = Effect.fnUntraced(function* ({ _tag }: EndpointOwner, request: Partial<EndpointRequest>) {
  yield* checkInput(request);
  yield* checkOwn[_tag](request);
  const { events } = request;
  const unknown = (events ?? []).flatMap((type, place) => (isEventType(type) ? [] : [`events.${place}`]));
  if (unknown.length > 0) return yield* eventsUnknown(unknown);
  return events && ([...new Set(events)] as ReadonlyArray<EventType>);
});
