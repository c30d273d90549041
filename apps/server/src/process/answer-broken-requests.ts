import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import {
  answerBroken,
  brokenRequestOf,
  type BrokenRequest,
  newRequestId,
  NO_TUNNEL,
  UNKNOWN_EXPECTATION,
  writeBroken,
} from "./broken-request.ts";

/** Logs the answer. */
export type LogBroken = (line: { readonly status: number; readonly requestId: string }) => void;

/** Answers a request that must not reach a handler. */
export const refuseRequest = (broken: BrokenRequest, response: ServerResponse, log: LogBroken): void => {
  const requestId = newRequestId();
  const { status, headers, body } = writeBroken(broken, requestId);
  log({ status, requestId });
  response.writeHead(status, headers).end(body);
};

/** Answers broken requests with a problem and a request id; Node would send an empty answer or none. */
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
    // Nothing can be written in the middle of another answer.
    if (!socket.writable || error.code === "ECONNRESET" || isAnswering(socket as Socket)) return void socket.destroy();
    refuse(brokenRequestOf(error), socket);
  });
  server.on("connect", (_, socket) => {
    socket.on("error", () => {});
    refuse(NO_TUNNEL, socket);
  });
  server.on("checkExpectation", (_, response) => refuseRequest(UNKNOWN_EXPECTATION, response, log));
};
