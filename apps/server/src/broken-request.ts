import type { Duplex } from "node:stream";

const BROKEN = {
  HPE_HEADER_OVERFLOW: { status: 431, title: "Request Header Fields Too Large", code: "headers_too_large" },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, title: "Request Timeout", code: "request_timeout" },
} as const;

/** What is no HTTP never reaches a handler; it gets a problem all the same. */
export const answerBrokenRequest = (error: NodeJS.ErrnoException, socket: Duplex): void => {
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const { status, title, code } = BROKEN[error.code as keyof typeof BROKEN] ?? {
    status: 400,
    title: "Bad Request",
    code: "invalid_request",
  };
  const body = JSON.stringify({
    type: `urn:postern:problem:${code}`,
    title,
    status,
    ok: false,
    code,
    requestId: "none",
  });
  socket.end(
    `HTTP/1.1 ${status} ${title}\r\nContent-Type: application/problem+json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
};
