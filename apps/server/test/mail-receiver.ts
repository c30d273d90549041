import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** An event at a webhook receiver; `at` in monotonic milliseconds. */
export interface ReceivedEvent {
  readonly path: string;
  readonly id: string;
  readonly at: number;
  readonly data: { readonly uid: number; readonly subject: string };
}

/** Starts a webhook receiver on the loopback that records events. */
export const mailReceiver = async () => {
  const got: Array<ReceivedEvent> = [];
  const server = createServer((request, response) => {
    const pieces: Array<Buffer> = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      const { id, data } = JSON.parse(Buffer.concat(pieces).toString()) as ReceivedEvent;
      got.push({ path: request.url!, id, at: performance.now(), data });
      response.writeHead(204).end();
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, got, close };
};
