/**
 * The reason why an attempt received no complete response. `secret_unreadable`: the endpoint's secrets cannot be
 * decrypted, so nothing was signed or sent. `blocked_url`, `blocked_address`: the egress guard refused before any
 * connection. `nxdomain`, `servfail`, `dns_timeout`, `dns_failed`: name resolution failed. `refused`, `unreachable`,
 * `connect_timeout`: the connection failed. `tls_…`: the certificate or the handshake failed. `reset_before_headers`,
 * `reset_after_headers`: the connection was cut. `headers_too_large`, `bad_response`: the response was not valid HTTP.
 * `timeout`: the exchange took too long. `failed`: any other error.
 */
export type DeliveryErrorCode =
  | "secret_unreadable"
  | "blocked_url"
  | "blocked_address"
  | "nxdomain"
  | "servfail"
  | "dns_timeout"
  | "dns_failed"
  | "refused"
  | "unreachable"
  | "connect_timeout"
  | "tls_expired"
  | "tls_self_signed"
  | "tls_untrusted"
  | "tls_wrong_host"
  | "tls_failed"
  | "reset_before_headers"
  | "reset_after_headers"
  | "headers_too_large"
  | "bad_response"
  | "timeout"
  | "failed";

/** The outcome of one POST (spec 7.5). A truncated response has both a status and an error code. */
export interface DeliveryOutcome {
  readonly status: number | null;
  readonly errorCode: DeliveryErrorCode | null;
  /** Milliseconds from the start of name resolution to the last byte read. */
  readonly ms: number;
  /** The beginning of the response body, at most 4 KiB, invalid UTF-8 replaced. */
  readonly excerpt: string;
  /** The remote address of the connection; null if there was none. */
  readonly remoteIp: string | null;
  /** The wait that the receiver requested, in milliseconds from the end of the exchange (RFC 9110, 10.2.3). */
  readonly retryAfter: number | null;
}

/** The outcome of an attempt that could not be signed and was not sent. */
export const UNSIGNED: DeliveryOutcome = {
  status: null,
  errorCode: "secret_unreadable",
  ms: 0,
  excerpt: "",
  remoteIp: null,
  retryAfter: null,
};

/** Returns whether the response is complete and its status is 2xx; nothing else counts as delivered (spec 7.5). */
export const isDelivered = ({ status, errorCode }: Pick<DeliveryOutcome, "status" | "errorCode">): boolean =>
  errorCode === null && status !== null && status >= 200 && status < 300;
