import type { Socket } from "node:net";
import { createInterface } from "node:readline";
import { createSecureContext, TLSSocket } from "node:tls";
import type { Certificate } from "@postern/testkit";

interface SmtpSpeech {
  readonly extensions?: ReadonlyArray<string>;
  /** Offers STARTTLS. */
  readonly certificate?: Certificate;
  /** Returns the reply to AUTH with its initial response, decoded. */
  readonly auth?: (credential: string) => string;
}

const REPLIES: Readonly<Record<string, string>> = { DATA: "354 go ahead", STARTTLS: "502 not implemented" };

/** Handles a socket as an SMTP server that takes every message. */
export const speakSmtp =
  ({ extensions = ["AUTH PLAIN"], certificate, auth = () => "235 welcome" }: SmtpSpeech = {}) =>
  (socket: Socket): void => {
    const serve = (stream: Socket, offersTls: boolean) => {
      let inData = false;
      const lines = createInterface({ input: stream }).on("error", () => {});
      lines.on("line", (line) => {
        const [verb = "", , initial = ""] = line.split(" ");
        if (inData && line !== ".") return;
        inData = verb === "DATA";
        if (verb === "STARTTLS" && offersTls && certificate !== undefined) {
          lines.close();
          stream.removeAllListeners("data");
          stream.write("220 begin\r\n");
          const secured = new TLSSocket(stream, { isServer: true, secureContext: createSecureContext(certificate) });
          secured.on("error", () => secured.destroy());
          return serve(secured, false);
        }
        const keywords = ["smtp.test", ...(offersTls ? ["STARTTLS"] : []), ...extensions];
        const ehlo = keywords.map((keyword, n) => `250${n === keywords.length - 1 ? " " : "-"}${keyword}`).join("\r\n");
        const reply =
          verb === "EHLO"
            ? ehlo
            : verb === "AUTH"
              ? auth(Buffer.from(initial, "base64").toString())
              : (REPLIES[verb] ?? "250 ok");
        stream.write(`${reply}\r\n`);
      });
    };
    socket.write("220 smtp.test ESMTP\r\n");
    serve(socket, certificate !== undefined);
  };
