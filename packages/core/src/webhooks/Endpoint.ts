import type { EventType } from "../events/index.ts";
import type { AccountId } from "../shared/index.ts";

/** When an exhausted delivery disables its endpoint: always, or only if nothing succeeded meanwhile (spec 7). */
export type DisablePolicy = "literal" | "no_success";

/** Who disabled an endpoint: its owner, or a delivery whose ladder ended. */
export type DisabledReason = "owner" | "exhausted";

/** Where an account's events go (spec 7.6). Times are epoch milliseconds. */
export interface Endpoint {
  readonly id: string;
  readonly account: AccountId;
  readonly url: string;
  readonly description: string;
  readonly events: ReadonlyArray<EventType>;
  readonly state: "enabled" | "disabled";
  readonly disabledAt: number | null;
  readonly disabledReason: DisabledReason | null;
  /** Counts every change of `state`; a delivery of another generation is held. */
  readonly generation: number;
  /** POSTs at a time, 10 at most; one where `ordered`. */
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

/** What its owner chooses about an endpoint. */
export type EndpointSettings = Pick<
  Endpoint,
  "url" | "description" | "events" | "disablePolicy" | "honourRetryAfter" | "ordered" | "maxInFlight"
>;

/** Tells an endpoint's owner by e-mail that it was disabled: once for (endpoint, generation) (spec 7.5). */
export interface DisabledNotice {
  readonly account: AccountId;
  readonly endpointId: string;
  readonly url: string;
  /** The generation that was disabled. */
  readonly generation: number;
  readonly disabledAt: number;
}
