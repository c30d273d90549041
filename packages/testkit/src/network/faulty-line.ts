import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Effect, type Scope } from "effect";

/** Faults that begin at the end of a line; other faults begin at any byte. */
const BETWEEN_LINES = new Set<WireFault["kind"]>(["bye", "bye and silence", "oversized literal", "endless line"]);

const BYE = "* BYE [UNAVAILABLE] Shutting down\r\n";
const OVERSIZED_LITERAL = "* 1 FETCH (UID 1 BODY[] {4294967295}\r\n";
const CHUNK = Buffer.alloc(64 << 10, "x");

/** Milliseconds between two bytes of a slow server. */
const DRIP_MILLIS = 20;

/** A fault that happens once between an IMAP server and its client. */
export type WireFault = {
  /** The number of bytes that the client receives before the fault. */
  readonly after: number;
} & (
  | {
      readonly kind:
        | "cut"
        | "reset"
        /** The server sends nothing more, and keeps the connection open. */
        | "silence"
        | "bye"
        | "bye and silence"
        | "oversized literal"
        /** The server sends one line until the client hangs up. */
        | "endless line"
        /** The server sends a byte every 20 ms from then on. */
        | "drip";
    }
  /** Bytes that no server sends, inserted between the bytes of the real server. */
  | { readonly kind: "garbage"; readonly bytes: Uint8Array }
);

/** A TCP connection to a server on which faults happen. */
export interface FaultyLine {
  readonly port: number;
  /** Returns the number of bytes that clients received. */
  readonly received: () => number;
  /** Returns the number of open connections of clients. */
  readonly open: () => number;
  /**
   * Makes a fault happen once; undefined withdraws a fault that has not happened yet. Returns whether the previous
   * fault happened.
   */
  readonly arm: (fault: WireFault | undefined) => boolean;
  /** Ends all connections. */
  readonly hangUp: () => void;
}

/** Starts a loopback proxy of a server that passes bytes on, except for armed faults. */
export const faultyLine = (port: number): Effect.Effect<FaultyLine, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const clients = new Set<Socket>();
      let [received, left] = [0, 0];
      let armed: WireFault | undefined;
      const arm = (fault: WireFault | undefined) => {
        const happened = armed === undefined;
        [armed, left] = [fault, fault?.after ?? 0];
        return happened;
      };
      const server = createServer((client) => {
        const upstream = connect(port, "127.0.0.1").setNoDelay(true);
        clients.add(client.setNoDelay(true));
        client
          .on("error", () => client.destroy())
          .on("close", () => {
            clients.delete(client);
            upstream.destroy();
          });
        upstream.on("error", () => upstream.destroy()).on("close", () => pass === deliver && client.destroy());
        client.on("data", (bytes) => upstream.write(bytes));
        const deliver = (bytes: Buffer): void => {
          received += bytes.length;
          client.write(bytes);
        };
        let pass = deliver;
        upstream.on("data", (bytes: Buffer) => {
          if (armed === undefined || pass !== deliver) return pass(bytes);
          if (left >= bytes.length) {
            left -= bytes.length;
            return pass(bytes);
          }
          const fault = armed;
          const lineEnd = BETWEEN_LINES.has(fault.kind) ? bytes.indexOf("\n", left) + 1 || bytes.length : left;
          armed = undefined;
          deliver(bytes.subarray(0, lineEnd));
          pass = strike(fault, client, deliver);
          pass(bytes.subarray(lineEnd));
        });
      }).listen(0, "127.0.0.1");
      await once(server, "listening");
      const hangUp = () => {
        for (const client of clients) client.destroy();
      };
      const line: FaultyLine = {
        port: (server.address() as AddressInfo).port,
        received: () => received,
        open: () => clients.size,
        arm,
        hangUp,
      };
      return { line, server };
    }),
    ({ line, server }) =>
      Effect.sync(() => {
        line.hangUp();
        server.close();
      }),
  ).pipe(Effect.map(({ line }) => line));

const swallow = () => {};

/** Begins a fault; returns the handler of the server's further bytes. */
const strike = (fault: WireFault, client: Socket, pass: (bytes: Buffer) => void): ((bytes: Buffer) => void) => {
  switch (fault.kind) {
    case "cut":
      client.end();
      return swallow;
    case "reset":
      client.resetAndDestroy();
      return swallow;
    case "silence":
      return swallow;
    case "bye":
      client.end(BYE);
      return swallow;
    case "bye and silence":
      client.write(BYE);
      return swallow;
    case "garbage":
      client.write(fault.bytes);
      return pass;
    case "oversized literal":
      client.write(OVERSIZED_LITERAL);
      return pass;
    case "endless line":
      void endless(client);
      return swallow;
    case "drip":
      return drip(pass);
  }
};

const endless = async (client: Socket): Promise<void> => {
  while (!client.destroyed) {
    const isTaken = client.write(CHUNK);
    await (isTaken ? sleep(0) : Promise.race([once(client, "drain"), once(client, "close")]).catch(swallow));
  }
};

const drip = (pass: (bytes: Buffer) => void): ((bytes: Buffer) => void) => {
  let before = Promise.resolve();
  return (bytes) => {
    before = before.then(async () => {
      for (let at = 0; at < bytes.length; at++) {
        await sleep(DRIP_MILLIS);
        pass(bytes.subarray(at, at + 1));
      }
    });
  };
};
