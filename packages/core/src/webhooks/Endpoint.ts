import type { EventType } from "../events/index.ts";
import type { EndpointOwner } from "./EndpointOwner.ts";

/** When an exhausted delivery disables its endpoint: always, or only if no delivery succeeded meanwhile (spec 7). */
export type DisablePolicy = "literal" | "no_success";

/** The cause of disabling: the endpoint's owner, or a delivery whose ladder ended. */
export type DisabledReason = "owner" | "exhausted";

/** A URL that the events of an account, or of an application's accounts, are delivered to (spec 7.6, 10.3). Times are epoch milliseconds. */
export interface Endpoint {
  readonly id: string;
  readonly owner: EndpointOwner;
  readonly url: string;
  readonly description: string;
  readonly events: ReadonlyArray<EventType>;
  readonly state: "enabled" | "disabled";
  readonly disabledAt: number | null;
  readonly disabledReason: DisabledReason | null;
  /** Counts every change of `state`; a delivery of another generation is held. */
  readonly generation: number;
  /** Concurrent POSTs, at most 10, or 32 for an application; one per account if `ordered`. */
  readonly maxInFlight: number;
  readonly ordered: boolean;
  readonly disablePolicy: DisablePolicy;
  readonly honourRetryAfter: boolean;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly lastSuccessAt: number | null;
  readonly lastDeliveryAt: number | null;
  readonly lastStatus: number | null;
  readonly consecutiveFailures: number;
}

/** The settings that the owner chooses. */
export type EndpointSettings = Pick<
  Endpoint,
  "url" | "description" | "events" | "disablePolicy" | "honourRetryAfter" | "ordered" | "maxInFlight"
>;

/** The e-mail that tells the owner that an endpoint was disabled: once per endpoint and generation (spec 7.5). */
export interface DisabledNotice {
  readonly owner: EndpointOwner;
  readonly endpointId: string;
  readonly url: string;
  /** The generation that was disabled. */
  readonly generation: number;
  readonly disabledAt: number;
}
