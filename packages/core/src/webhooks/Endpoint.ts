import type { Redacted } from "effect";
import type { EndpointOwner } from "./EndpointOwner.ts";
import type { EndpointSettings } from "./endpoint-settings.ts";

/** The reason why an endpoint is disabled: its owner disabled it, or the ladder of a delivery ended. */
export type DisabledReason = "owner" | "exhausted";

/** A URL to which the events of an account, or of an application's accounts, are delivered (spec 7.6, 10.3). Times are epoch milliseconds. */
export interface Endpoint extends EndpointSettings {
  readonly id: string;
  readonly owner: EndpointOwner;
  /** `suspended`: enabled, but its application is suspended. */
  readonly state: "enabled" | "suspended" | "disabled";
  readonly disabledAt: number | null;
  readonly disabledReason: DisabledReason | null;
  /** A counter of all changes of `state`; a delivery of another generation is held. */
  readonly generation: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly lastSuccessAt: number | null;
  readonly lastDeliveryAt: number | null;
  readonly lastStatus: number | null;
  readonly consecutiveFailures: number;
}

/** An endpoint as its owner sees it. */
export interface EndpointView {
  readonly endpoint: Endpoint;
  /** The last characters of the active secret; only `…` if the secrets cannot be decrypted. */
  readonly secretHint: string;
}

/** An endpoint with a new secret, which is shown only once. Time in epoch milliseconds. */
export interface EndpointWithSecret extends EndpointView {
  readonly secret: Redacted.Redacted;
  readonly activatesAt: number;
}

/** A new endpoint. The answer to a repeated request does not contain the secret again. */
export interface NewEndpoint extends EndpointView {
  readonly secret: Redacted.Redacted | null;
  /** The number of accounts in the endpoint's reach that are not watched yet. Events begin with the watch. */
  readonly watchesPending: number;
}

/** The e-mail to the owner of a disabled endpoint. It is sent once per endpoint and generation (spec 7.5). */
export interface DisabledNotice {
  readonly owner: EndpointOwner;
  readonly endpointId: string;
  readonly url: string;
  /** The generation that was disabled. */
  readonly generation: number;
  readonly disabledAt: number;
}
