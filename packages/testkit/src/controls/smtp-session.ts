import type { Socket } from "node:net";
import type { SmtpReply } from "@postern/core/send";
import type { SmtpBehaviour, TakenMessage } from "./SmtpBehaviour.ts";

/** A stage of an SMTP session, which a scripted server reports at its end. */
export type SmtpStage = "greeting" | "ehlo" | "auth" | "mail" | "rcpt" | "data" | "body" | "dot" | "reply" | "quit";

export interface SmtpWorld {
  readonly extensions: ReadonlyArray<string>;
  readonly behaviour: () => SmtpBehaviour;
  readonly knows: (user: string, password: string) => boolean;
  readonly knowsToken: (user: string, token: string) => boolean;
  readonly took: (message: TakenMessage) => void;
  /** Called with each line that the client sent, including passwords. */
  readonly said: (line: string) => void;
  /** Called after each stage; the session waits until this function has ended. */
  readonly stage: (stage: SmtpStage) => Promise<void> | void;
}

/** Runs the server's side of a scripted SMTP session (RFC 5321) until its socket closes. */
export const serveSmtp = async (socket: Socket, world: SmtpWorld): Promise<void> => {
  const input = readerOf(socket);
  const say = (line: string) => void (socket.writable && socket.write(`${line}\r\n`));
  const tell = ({ code, enhanced, text }: SmtpReply) => say([code, enhanced, text].filter(Boolean).join(" "));
  const cut = () => socket.destroy();
  let envelope: { from: string; recipients: Array<string> } | undefined;

  const takeData = async (): Promise<void> => {
    const { data, body, dot } = world.behaviour();
    if (data !== undefined) return tell(data);
    say("354 go ahead");
    await world.stage("data");
    await input.some();
    await world.stage("body");
    if (body === "cut") return void cut();
    if (body !== undefined) tell(body);
    const raw = await input.message();
    if (raw === undefined) return;
    await world.stage("dot");
    if (dot === "cut") return void cut();
    if (dot !== undefined && dot !== "take and cut") return tell(dot);
    world.took({ ...envelope!, raw });
    await world.stage("reply");
    if (dot === "take and cut") return void cut();
    say("250 2.0.0 taken");
  };

  const login = async (line: string): Promise<void> => {
    const { auth } = world.behaviour();
    const [, mechanism, initial] = /^AUTH (\S+)(?: (\S+))?$/i.exec(line) ?? [];
    if (/^(OAUTHBEARER|XOAUTH2)$/i.test(mechanism ?? "")) return await tokenLogin(initial ?? "", auth);
    if (mechanism?.toUpperCase() !== "PLAIN" || initial === undefined) return say("504 5.5.4 no such mechanism");
    const [, user = "", password = ""] = Buffer.from(initial, "base64").toString().split("\0");
    if (auth !== undefined) return tell(auth);
    say(world.knows(user, password) ? "235 2.7.0 welcome" : "535 5.7.8 no");
  };

  /**
   * Refuses a token in two steps (RFC 7628, 3.2.3): a challenge with the reason, and the reply after the client's
   * answer.
   */
  const tokenLogin = async (initial: string, scripted: SmtpReply | undefined): Promise<void> => {
    const [header = "", ...fields] = decode(initial).split("\u0001");
    const token = fields.find((field) => field.startsWith("auth=Bearer "))?.slice("auth=Bearer ".length) ?? "";
    const user = header.startsWith("n,a=")
      ? header.slice(4, -1).replaceAll("=2C", ",").replaceAll("=3D", "=")
      : header.slice("user=".length);
    if (scripted === undefined && world.knowsToken(user, token)) return say("235 2.7.0 welcome");
    say(`334 ${Buffer.from(REFUSED_TOKEN).toString("base64")}`);
    const answer = await input.line();
    if (answer === undefined) return;
    world.said(answer);
    // The client answers OAUTHBEARER with one control character, and XOAUTH2 with an empty line.
    if (decode(answer) !== (header.startsWith("n,") ? "\u0001" : "")) return say("501 5.5.2 what?");
    tell(scripted ?? { code: 535, enhanced: "5.7.8", text: "no" });
  };

  say("220 scripted.test ESMTP");
  await world.stage("greeting");
  for (let line = await input.line(); line !== undefined; line = await input.line()) {
    world.said(line);
    const verb = line.split(" ", 1)[0]!.toUpperCase();
    const address = /<([^>]*)>/.exec(line)?.[1] ?? "";
    if (verb === "EHLO") {
      const lines = ["scripted.test", ...world.extensions];
      say(lines.map((text, n) => `250${n === lines.length - 1 ? " " : "-"}${text}`).join("\r\n"));
      await world.stage("ehlo");
    } else if (verb === "AUTH") {
      await login(line);
      await world.stage("auth");
    } else if (verb === "MAIL") {
      const { mail } = world.behaviour();
      envelope = mail === undefined ? { from: address, recipients: [] } : undefined;
      tell(mail ?? { code: 250, enhanced: "2.1.0", text: "sender ok" });
      await world.stage("mail");
    } else if (verb === "RCPT") {
      const refusal = world.behaviour().rcpt?.[address];
      if (refusal === undefined) envelope?.recipients.push(address);
      tell(refusal ?? { code: 250, enhanced: "2.1.5", text: "recipient ok" });
      await world.stage("rcpt");
    } else if (verb === "DATA") {
      if (envelope === undefined || envelope.recipients.length === 0) say("503 5.5.1 no recipients");
      else await takeData();
    } else if (verb === "QUIT") {
      say("221 bye");
      await world.stage("quit");
      socket.end();
    } else if (verb === "RSET" || verb === "NOOP") say("250 ok");
    else say("500 5.5.2 what?");
  }
};

const REFUSED_TOKEN = '{"status":"401","schemes":"bearer","scope":"mail"}';

const decode = (base64: string): string => Buffer.from(base64, "base64").toString();

/** Reads lines, and messages up to the dot, from a socket. */
const readerOf = (socket: Socket) => {
  let [buffer, ended] = ["", false];
  let wake = () => {};
  socket.on("data", (bytes) => {
    buffer += bytes.toString("latin1");
    wake();
  });
  const end = () => {
    ended = true;
    wake();
  };
  for (const event of ["end", "close", "error"]) socket.on(event, end);
  const more = () => new Promise<void>((resolve) => (wake = resolve));
  const upTo = async (mark: string, from = 0): Promise<string | undefined> => {
    let looked = from;
    for (;;) {
      const at = buffer.indexOf(mark, looked);
      if (at >= 0) {
        const text = buffer.slice(0, at);
        buffer = buffer.slice(at + mark.length);
        return text;
      }
      if (ended) return undefined;
      looked = Math.max(from, buffer.length - mark.length);
      await more();
    }
  };
  return {
    line: async () => {
      const line = await upTo("\r\n");
      return line === undefined ? undefined : Buffer.from(line, "latin1").toString("utf8");
    },
    some: async () => {
      while (buffer === "" && !ended) await more();
    },
    /** Returns the data of a message; undefined if the client disconnects before the dot. */
    message: async () => {
      buffer = `\r\n${buffer}`;
      const text = await upTo("\r\n.\r\n");
      return text === undefined ? undefined : `${text}\r\n`.slice(2).replaceAll(/(^|\r\n)\.\./g, "$1.");
    },
  };
};
