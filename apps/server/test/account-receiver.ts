import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** An event at an endpoint of an application. */
export interface AccountEvent {
  readonly id: string;
  readonly event: string;
  readonly account: { readonly id: string; readonly email: string };
  readonly data: { readonly subject?: string };
}

/** Starts a webhook receiver of an application on the loopback that records bodies. */
export const accountReceiver = async () => {
  const got: Array<AccountEvent> = [];
  const server = createServer((request, response) => {
    const pieces: Array<Buffer> = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      got.push(JSON.parse(Buffer.concat(pieces).toString()) as AccountEvent);
      response.writeHead(204).end();
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    got,
    /** Returns the events of one type, each once: a delivery may be repeated. */
    events: (type: string): ReadonlyArray<AccountEvent> => [
      ...new Map(got.filter(({ event }) => event === type).map((event) => [event.id, event])).values(),
    ],
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};
