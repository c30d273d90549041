import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { AccountId } from "@postern/core/shared";
import { MailTransportControl, type SmtpBehaviour, type TakenMessage } from "@postern/testkit";
import { Effect, Layer, Redacted } from "effect";

let behaviour: SmtpBehaviour = {};
const taken: Array<TakenMessage> = [];
const users = new Set<string>();

const server = createServer(async (request, response) => {
  const { from, recipients, raw } = JSON.parse(Buffer.concat(await request.toArray()).toString());
  const { auth, mail, rcpt, dot } = behaviour;
  const isKnown = users.has(request.headers.authorization ?? "") && auth === undefined;
  const replies = [mail, ...recipients.map((one: string) => rcpt?.[one]), typeof dot === "string" ? undefined : dot];
  const refusal = replies.find((reply) => reply !== undefined);
  if (!isKnown) return response.writeHead(401).end();
  if (refusal !== undefined) return response.writeHead(refusal.code < 500 ? 503 : 422).end();
  if (dot !== "cut") taken.push({ from, recipients, raw: Buffer.from(raw, "base64").toString("latin1") });
  if (typeof dot === "string") return request.socket.destroy();
  return response.writeHead(202).end();
});

const listen = async (port: number) => {
  await once(server.listen(port, "127.0.0.1"), "listening");
  return (server.address() as AddressInfo).port;
};
const port = await listen(0);

/** The URL at which the mail API of the tests answers. */
export const api = `http://127.0.0.1:${port}/messages`;

/** Controls the mail API for the contract. */
export const mailApiControl = Layer.succeed(MailTransportControl, {
  newAccount: Effect.sync(() => {
    const username = `sender${users.size}@example.com`;
    users.add(`Basic ${btoa(`${username}:right`)}`);
    return {
      account: AccountId(username),
      credential: { _tag: "Password" as const, username, password: Redacted.make("right") },
    };
  }),
  behave: (next) => Effect.sync(() => void (behaviour = next)),
  stop: Effect.promise(async () => {
    const closed = once(server.close(), "close");
    server.closeAllConnections();
    await closed;
  }),
  start: Effect.promise(() => listen(port)).pipe(Effect.asVoid),
  taken: (from) => Effect.sync(() => taken.filter((message) => message.from === from)),
});

/** Registers a mailbox with its password at the API. */
export const addUser = (address: string, password: string) => users.add(`Basic ${btoa(`${address}:${password}`)}`);

/** The messages that the API accepted, in order. */
export const takenByApi: ReadonlyArray<TakenMessage> = taken;
