import type { Socket } from "node:net";
import { createInterface } from "node:readline";
import { createSecureContext, TLSSocket } from "node:tls";
import type { Certificate } from "@postern/testkit";

interface ImapSpeech {
  readonly greeting?: string;
  readonly capabilities?: string;
  /** Offers STARTTLS. */
  readonly certificate?: Certificate;
  /** Returns the end of the tagged answer to a command; undefined stands for `OK done`. */
  readonly answer?: (command: string) => string | undefined;
}

const UNTAGGED: Readonly<Record<string, string>> = {
  STATUS: "* STATUS INBOX (MESSAGES 0 UNSEEN 0 UIDNEXT 1 UIDVALIDITY 7)\r\n",
  LIST: '* LIST () "/" INBOX\r\n',
};

/** Handles a socket as an IMAP server with one empty INBOX. */
export const speakImap =
  ({ greeting = "* OK ready", capabilities = "IMAP4rev1", certificate, answer = () => undefined }: ImapSpeech = {}) =>
  (socket: Socket): void => {
    const serve = (stream: Socket, offersTls: boolean) => {
      const lines = createInterface({ input: stream }).on("error", () => {});
      lines.on("line", (line) => {
        const [tag = "", ...words] = line.split(" ");
        const verb = words[0] ?? "";
        if (verb === "STARTTLS" && offersTls && certificate !== undefined) {
          lines.close();
          stream.removeAllListeners("data");
          stream.write(`${tag} OK begin\r\n`);
          const secured = new TLSSocket(stream, { isServer: true, secureContext: createSecureContext(certificate) });
          secured.on("error", () => secured.destroy());
          return serve(secured, false);
        }
        const announced = `* CAPABILITY ${capabilities}${offersTls ? " STARTTLS" : ""}\r\n`;
        const untagged = verb === "CAPABILITY" ? announced : (UNTAGGED[verb] ?? "");
        stream.write(`${untagged}${tag} ${answer(words.join(" ")) ?? "OK done"}\r\n`);
      });
    };
    socket.write(`${greeting}\r\n`);
    serve(socket, certificate !== undefined);
  };
