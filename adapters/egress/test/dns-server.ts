import { createSocket } from "node:dgram";
import { once } from "node:events";
import { isIPv4 } from "node:net";
import type { HostAnswer } from "@postern/testkit";
import { Effect } from "effect";
import ipaddr from "ipaddr.js";

export interface DnsServer {
  /** For `nameServers`. */
  readonly address: string;
  /** Names that are missing here do not exist. `dns_timeout`: the server is silent. */
  readonly names: Map<string, HostAnswer | (() => HostAnswer)>;
}

const A = 1;
const AAAA = 28;

/** A name server on a free port of the loopback interface (RFC 1035). */
export const dnsServer = Effect.map(
  Effect.acquireRelease(
    Effect.promise(async () => {
      const socket = createSocket("udp4");
      socket.bind(0, "127.0.0.1");
      await once(socket, "listening");
      return socket;
    }),
    (socket) => Effect.promise(() => new Promise<void>((closed) => socket.close(() => closed()))),
  ),
  (socket): DnsServer => {
    const names: DnsServer["names"] = new Map();
    socket.on("message", (query, from) => {
      const { name, type, end } = questionOf(query);
      const known = names.get(name);
      const answer = typeof known === "function" ? known() : known;
      if (answer === "dns_timeout") return;
      const addresses = Array.isArray(answer) ? answer.filter((address) => isIPv4(address) === (type === A)) : [];
      const code = answer === undefined || answer === "nxdomain" ? 3 : answer === "servfail" ? 2 : 0;
      const header = Buffer.alloc(12);
      query.copy(header, 0, 0, 2);
      header.writeUInt16BE(0x8180 | code, 2);
      header.writeUInt16BE(1, 4);
      header.writeUInt16BE(addresses.length, 6);
      const records = addresses.map((address) => {
        const bytes = Buffer.from(ipaddr.parse(address).toByteArray());
        const record = Buffer.alloc(12);
        record.writeUInt16BE(0xc00c, 0);
        record.writeUInt16BE(type === A ? A : AAAA, 2);
        record.writeUInt16BE(1, 4);
        record.writeUInt16BE(bytes.length, 10);
        return Buffer.concat([record, bytes]);
      });
      socket.send(Buffer.concat([header, query.subarray(12, end), ...records]), from.port, from.address);
    });
    return { address: `127.0.0.1:${socket.address().port}`, names };
  },
);

const questionOf = (query: Buffer): { name: string; type: number; end: number } => {
  const labels: Array<string> = [];
  let at = 12;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join(".").toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
};
