import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A received POST; `at` in monotonic milliseconds, `nth` of this event on this path, from 1. */
export interface ReceivedPost {
  readonly path: string;
  readonly id: string;
  readonly nth: number;
  readonly at: number;
}

/** Returns a status now or later; a promise that never settles makes the receiver hang. */
type Reply = (post: ReceivedPost) => number | Promise<number>;

/** An answer that never comes. */
export const SILENCE = new Promise<never>(() => {});

const raise = (counts: Map<string, number>, key: string, by: number): number => {
  const count = (counts.get(key) ?? 0) + by;
  counts.set(key, count);
  return count;
};

/** Starts a receiver on the loopback that records every POST; stopped after the test. */
export const webhookReceiver = async (reply: Reply = () => 200) => {
  const posts: Array<ReceivedPost> = [];
  const [times, underWay, ended] = [new Map<string, number>(), new Map<string, number>(), new Map<string, number>()];
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    const id = String(request.headers["webhook-id"]);
    const post = { path, id, nth: raise(times, `${path} ${id}`, 1), at: performance.now() };
    posts.push(post);
    raise(underWay, path, 1);
    response.on("close", () => {
      raise(underWay, path, -1);
      raise(ended, path, 1);
    });
    request.resume();
    void Promise.resolve(reply(post)).then((status) => response.writeHead(status).end());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    posts,
    /** Returns the number of open POSTs of one path. */
    underWay: (path: string) => underWay.get(path) ?? 0,
    /** Returns the number of POSTs of one path that either side ended. */
    ended: (path: string) => ended.get(path) ?? 0,
    /** Returns the number of distinct events per path, summed. */
    events: () => new Set(posts.map(({ path, id }) => `${path} ${id}`)).size,
  };
};
