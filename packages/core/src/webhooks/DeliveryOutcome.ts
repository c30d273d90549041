/**
 * Why an attempt got no complete answer.
 *
 * `secret_unreadable`: the endpoint's secrets cannot be opened, so nothing was signed or sent.
 * `blocked_url`, `blocked_address`: our egress guard refused before anything was contacted. `nxdomain`, `servfail`,
 * `dns_timeout`, `dns_failed`: the name. `refused`, `unreachable`, `connect_timeout`: the connection. `tls_…`: the
 * certificate or the handshake. `reset_before_headers`, `reset_after_headers`: the connection was cut.
 * `headers_too_large`, `bad_response`: it was no HTTP answer. `timeout`: the whole exchange took too long. `failed`:
 * anything else.
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

/** What came of one POST (spec 7.2). An answer cut short has both a status and an error code. */
export interface DeliveryOutcome {
  readonly status: number | null;
  readonly errorCode: DeliveryErrorCode | null;
  /** From the first look at the name to the last byte read. */
  readonly ms: number;
  /** The beginning of the answer's body, at most 4 KiB, invalid UTF-8 replaced. */
  readonly excerpt: string;
  /** The address that was connected, if any was. */
  readonly remoteIp: string | null;
  /** Milliseconds after the end of the exchange, where the receiver asked for a wait (RFC 9110, 10.2.3). */
  readonly retryAfter: number | null;
}

/** The outcome of an attempt that was not made, because nothing can sign it. */
export const UNSIGNED: DeliveryOutcome = {
  status: null,
  errorCode: "secret_unreadable",
  ms: 0,
  excerpt: "",
  remoteIp: null,
  retryAfter: null,
};

/** Delivery success is a complete 2xx answer and nothing else (spec 7.2). */
export const isDelivered = ({ status, errorCode }: DeliveryOutcome): boolean =>
  errorCode === null && status !== null && status >= 200 && status < 300;
