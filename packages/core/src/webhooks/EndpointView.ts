import type { Redacted } from "effect";
import type { Endpoint } from "./Endpoint.ts";

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
