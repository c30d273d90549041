import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import {
  answerBroken,
  brokenBy,
  type BrokenRequest,
  newRequestId,
  NO_TUNNEL,
  UNKNOWN_EXPECTATION,
  writeBroken,
} from "./broken-request.ts";

/** Says in the log what was answered. */
export type LogBroken = (line: { readonly status: number; readonly requestId: string }) => void;

/** Answers a request that no handler is to see. */
export const refuseRequest = (broken: BrokenRequest, response: ServerResponse, log: LogBroken): void => {
  const requestId = newRequestId();
  const { status, headers, body } = writeBroken(broken, requestId);
  log({ status, requestId });
  response.writeHead(status, headers).end(body);
};

/** Answers what Node would answer by itself, with nothing in it, or not at all: by a problem with a request id. */
export const answerBrokenRequests = (
  server: Server,
  isAnswering: (socket: Socket) => boolean,
  log: LogBroken,
): void => {
  const refuse = (broken: BrokenRequest, socket: Duplex) => {
    const requestId = newRequestId();
    log({ status: broken.status, requestId });
    answerBroken(broken, requestId, socket);
  };
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    // Into the middle of another answer nothing can be written.
    if (!socket.writable || error.code === "ECONNRESET" || isAnswering(socket as Socket)) return void socket.destroy();
    refuse(brokenBy(error), socket);
  });
  server.on("connect", (_, socket) => {
    socket.on("error", () => {});
    refuse(NO_TUNNEL, socket);
  });
  server.on("checkExpectation", (_, response) => refuseRequest(UNKNOWN_EXPECTATION, response, log));
};
