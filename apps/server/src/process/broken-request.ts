import { randomBytes } from "node:crypto";
import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";

/** A problem for a request that never reaches a handler. */
export interface BrokenRequest {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly detail: string;
}

const BROKEN: Readonly<Record<string, BrokenRequest>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    code: "headers_too_large",
    title: "The header fields are too large",
    detail: "The header fields have more than 16 KiB. Send fewer or shorter ones.",
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    code: "request_timeout",
    title: "The request did not arrive in time",
    detail: "The header fields or the body took too long to arrive. Send the request again, over a faster connection.",
  },
};

/** The problem for bytes that Node's parser rejects as HTTP. */
export const UNREADABLE: BrokenRequest = {
  status: 400,
  code: "invalid_request",
  title: "This is not valid HTTP",
  detail: "The request could not be read. Send it as HTTP/1.1; TLS ends at a proxy in front of Postern.",
};
/** The problem for a missing Host field, which HTTP/1.1 requires (RFC 9112, 3.2). */
export const NO_HOST: BrokenRequest = {
  status: 400,
  code: "invalid_request",
  title: "The Host header is missing",
  detail: "HTTP/1.1 requires the header Host. Send it with the name of the service.",
};
/** The problem for an expectation other than `100-continue` (RFC 9110, 10.1.1). */
export const UNKNOWN_EXPECTATION: BrokenRequest = {
  status: 417,
  code: "expectation_failed",
  title: "This expectation cannot be met",
  detail: "The header Expect has another value than 100-continue. Leave the header out.",
};
export const NO_TUNNEL: BrokenRequest = {
  status: 405,
  code: "method_not_allowed",
  title: "This server opens no tunnels",
  detail: "The method CONNECT is not supported. Send the request to the path itself.",
};

/** All problems for broken requests. */
export const BROKEN_REQUESTS: ReadonlyArray<BrokenRequest> = [
  ...Object.values(BROKEN),
  UNREADABLE,
  NO_HOST,
  UNKNOWN_EXPECTATION,
  NO_TUNNEL,
];

/** The problem for an error of Node's HTTP parser. */
export const brokenRequestOf = ({ code = "" }: NodeJS.ErrnoException): BrokenRequest => BROKEN[code] ?? UNREADABLE;

/** Returns the head and body of an answer that ends its connection; `requestId` identifies the answer in the log. */
export const writeBroken = ({ status, code, title, detail }: BrokenRequest, requestId: string) => {
  const type = `urn:postern:problem:${code}`;
  const errors = status === 400 ? { errors: [{ field: "request", message: title }] } : {};
  const body = JSON.stringify({ type, title, status, detail, ok: false, code, requestId, ...errors });
  const headers = {
    "content-type": "application/problem+json",
    "content-length": `${Buffer.byteLength(body)}`,
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "x-request-id": requestId,
    connection: "close",
  };
  return { status, headers, body };
};

/** Returns an id for a request whose own id could not be read. */
export const newRequestId = (): string => randomBytes(12).toString("base64url");

/** Writes an answer directly to a connection, because Node has no response object for it, and ends the connection. */
export const answerBroken = (broken: BrokenRequest, requestId: string, socket: Duplex): void => {
  const { status, headers, body } = writeBroken(broken, requestId);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`);
};
