import type { DeliveryErrorCode } from "@postern/core/webhooks";

const CODES: Readonly<Record<string, DeliveryErrorCode>> = {
  ECONNREFUSED: "refused",
  EHOSTUNREACH: "unreachable",
  ENETUNREACH: "unreachable",
  EADDRNOTAVAIL: "unreachable",
  ETIMEDOUT: "connect_timeout",
  UND_ERR_CONNECT_TIMEOUT: "connect_timeout",
  CERT_HAS_EXPIRED: "tls_expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "tls_self_signed",
  SELF_SIGNED_CERT_IN_CHAIN: "tls_self_signed",
  CERT_NOT_YET_VALID: "tls_untrusted",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "tls_untrusted",
  UNABLE_TO_GET_ISSUER_CERT: "tls_untrusted",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "tls_untrusted",
  CERT_REVOKED: "tls_untrusted",
  CERT_UNTRUSTED: "tls_untrusted",
  CERT_REJECTED: "tls_untrusted",
  INVALID_PURPOSE: "tls_untrusted",
  ERR_TLS_CERT_ALTNAME_INVALID: "tls_wrong_host",
  EPROTO: "tls_failed",
  UND_ERR_HEADERS_OVERFLOW: "headers_too_large",
};

/** Codes of Node and undici for a connection reset by the peer. */
const RESET = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"]);

/** Returns the code of a failed exchange, by its error and whether the status had arrived. */
export const failureCode = (error: unknown, answered: boolean): DeliveryErrorCode => {
  const code = codeOf(error);
  if (RESET.has(code)) return answered ? "reset_after_headers" : "reset_before_headers";
  if (code === "UND_ERR_RES_CONTENT_LENGTH_MISMATCH" || isMalformed(error)) {
    return answered ? "reset_after_headers" : "bad_response";
  }
  return CODES[code] ?? (/^ERR_(SSL|TLS|OSSL)_/.test(code) ? "tls_failed" : "failed");
};

/** Returns whether an error comes from undici's parser, which gives a code only to some of its errors. */
const isMalformed = (error: unknown): boolean => error instanceof Error && error.name === "HTTPParserError";

/** If several addresses failed, the first determines the code. */
const codeOf = (error: unknown): string => {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
};
