import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterEach, expect, it } from "vitest";
import { answerBrokenRequests } from "../src/process/answer-broken-requests.ts";
import { keepDeadlines } from "../src/process/request-deadlines.ts";

const NEVER = 600_000;
const running = new Set<Server>();

afterEach(() => {
  for (const server of running) server.close().closeAllConnections();
  running.clear();
});

/** Returns the answer to a request that sends a byte at intervals and never ends. */
const trickled = async (deadlines: Parameters<typeof keepDeadlines>[1], path: string, every: number, bytes = 1_000) => {
  const server = createServer((request, response) => {
    request.resume().once("end", () => response.end("whole"));
  });
  keepDeadlines(server, deadlines);
  answerBrokenRequests(
    server,
    () => false,
    () => {},
  );
  running.add(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${bytes}\r\n\r\n`);
  const drip = setInterval(() => socket.write("x"), every);
  let answer = "";
  socket.on("data", (data) => (answer += data)).on("error", () => {});
  await new Promise((resolve) => socket.once("close", resolve));
  clearInterval(drip);
  return answer;
};

it("ends an incomplete request at the deadline, with a problem [S8.3-4]", async () => {
  const answer = await trickled({ request: 300, upload: NEVER, uploadIdle: NEVER }, "/api/send", 20);
  expect(answer).toMatch(/^HTTP\/1.1 408 .*"code":"request_timeout"/s);
});

it("gives an upload more time while bytes arrive [S8.3-5]", async () => {
  const answer = await trickled({ request: 100, upload: NEVER, uploadIdle: 60_000 }, "/api/uploads", 20, 20);
  expect(answer).toMatch(/^HTTP\/1.1 200 .*whole/s);
});

it("ends an upload that stalls, and an endless one [S8.3-5]", async () => {
  for (const [deadlines, every] of [
    [{ request: NEVER, upload: NEVER, uploadIdle: 200 }, NEVER],
    [{ request: NEVER, upload: 400, uploadIdle: 300 }, 20],
  ] as const) {
    expect(await trickled(deadlines, "/api/uploads?x", every)).toMatch(/^HTTP\/1.1 408 /);
  }
});
