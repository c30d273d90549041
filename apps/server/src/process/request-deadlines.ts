import type { IncomingMessage, Server } from "node:http";

/** The time limits for a client that sends a request, in milliseconds. */
export interface RequestDeadlines {
  readonly request: number;
  readonly upload: number;
  /** The longest pause within an upload. */
  readonly uploadIdle: number;
}

/** The deadlines of spec 8.3. */
export const DEADLINES: RequestDeadlines = { request: 60_000, upload: 10 * 60_000, uploadIdle: 30_000 };

const UPLOADS = /^\/api\/uploads(\?|$)/;
/** The time to send the answer before the connection is closed. */
const FAREWELL_MILLIS = 1_000;

/** Answers 408 to requests whose body does not arrive in time. Node itself has only one deadline for all paths. */
export const keepDeadlines = (server: Server, { request: whole, upload, uploadIdle }: RequestDeadlines): void => {
  server.on("request", (request: IncomingMessage) => {
    if (request.headers["content-length"] === undefined && request.headers["transfer-encoding"] === undefined) return;
    const { socket } = request;
    const isUpload = UPLOADS.test(request.url ?? "");
    const began = performance.now();
    let [seen, seenAt] = [socket.bytesRead, began];
    const cut = () => {
      const error = Object.assign(new Error("too slow"), { code: "ERR_HTTP_REQUEST_TIMEOUT" });
      server.emit("clientError", error, socket);
      setTimeout(() => socket.destroy(), FAREWELL_MILLIS).unref();
    };
    const look = () => {
      const now = performance.now();
      if (socket.bytesRead !== seen) [seen, seenAt] = [socket.bytesRead, now];
      const left = isUpload ? Math.min(began + upload - now, seenAt + uploadIdle - now) : began + whole - now;
      if (request.complete) return;
      if (left <= 0) return cut();
      timer = setTimeout(look, isUpload ? Math.min(left, uploadIdle / 4) : left);
    };
    let timer = setTimeout(look, isUpload ? uploadIdle / 4 : whole);
    for (const end of ["end", "close"]) request.once(end, () => clearTimeout(timer));
  });
};
