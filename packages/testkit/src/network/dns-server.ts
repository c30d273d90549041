import { createSocket } from "node:dgram";
import { once } from "node:events";
import { isIPv4 } from "node:net";
import { type Answer, decode, encode, type Question } from "dns-packet";
import { Effect, type Scope } from "effect";
import type { HostAnswer } from "../controls/GuardedHosts.ts";

/** The records of a name. */
export interface DnsRecords {
  readonly addresses?: ReadonlyArray<string>;
  readonly srv?: ReadonlyArray<{
    readonly target: string;
    readonly port: number;
    readonly priority?: number;
    readonly weight?: number;
  }>;
  readonly mx?: ReadonlyArray<{ readonly exchange: string; readonly preference?: number }>;
}

/** The records of a name, its addresses alone, or a failure of the server; `dns_timeout`: the server is silent. */
export type DnsAnswer = DnsRecords | HostAnswer;

export interface DnsServer {
  /** The address of the server with its port, for settings that name a DNS server. */
  readonly address: string;
  /** The answers by name; a missing name does not exist. */
  readonly names: Map<string, DnsAnswer | (() => DnsAnswer)>;
}

/** A name server on a free port of the loopback interface (RFC 1035). */
export const dnsServer: Effect.Effect<DnsServer, never, Scope.Scope> = Effect.map(
  Effect.acquireRelease(
    Effect.promise(async () => {
      const socket = createSocket("udp4");
      socket.bind(0, "127.0.0.1");
      await once(socket, "listening");
      return socket;
    }),
    (socket) => Effect.promise(() => new Promise<void>((closed) => socket.close(() => closed()))),
  ),
  (socket) => {
    const names: DnsServer["names"] = new Map();
    socket.on("message", (query, from) => {
      const { id, questions = [] } = decode(query);
      const [question] = questions;
      if (question === undefined) return;
      const known = names.get(question.name.toLowerCase()) ?? "nxdomain";
      const answer = typeof known === "function" ? known() : known;
      if (answer === "dns_timeout") return;
      const code = typeof answer === "string" ? CODES[answer] : 0;
      const answers = typeof answer === "string" ? [] : recordsFor(question, answer);
      // The low four bits of the flags are the response code.
      const packet = encode({ type: "response", ...(id === undefined ? {} : { id }), flags: code, questions, answers });
      socket.send(packet, from.port, from.address);
    });
    return { address: `127.0.0.1:${socket.address().port}`, names };
  },
);

const CODES = { nxdomain: 3, servfail: 2, dns_failed: 4 } as const;

const isAddresses = (answer: DnsAnswer): answer is ReadonlyArray<string> => Array.isArray(answer);

const recordsFor = ({ type, name }: Question, answer: DnsRecords | ReadonlyArray<string>): Array<Answer> => {
  const { addresses = [], srv = [], mx = [] } = isAddresses(answer) ? { addresses: answer } : answer;
  if (type === "A") return addresses.filter(isIPv4).map((data) => ({ type, name, data }));
  if (type === "AAAA") return addresses.filter((data) => !isIPv4(data)).map((data) => ({ type, name, data }));
  if (type === "SRV") return srv.map((data) => ({ type, name, data }));
  if (type === "MX") return mx.map((data) => ({ type, name, data }));
  return [];
};
