import { connect } from "node:net";

/** A plain IMAP session without a library, one command at a time. */
export interface MailConversation {
  /** Sends a command, Buffers as literals; returns all responses. Rejects unless the answer is OK. */
  readonly command: (...words: ReadonlyArray<string | Buffer>) => Promise<string>;
  readonly isOpen: () => boolean;
  readonly close: () => void;
}

/** Returns an IMAP quoted string. */
export const quoteString = (text: string): string => `"${text.replace(/["\\]/g, "\\$&")}"`;

/** Connects and signs in. The server must support SASL-IR. */
export const openConversation = async (
  host: string,
  port: number,
  username: string,
  password: string,
): Promise<MailConversation> => {
  const socket = connect(port, host).setNoDelay(true);
  let received = "";
  let tags = 0;
  let wake = () => {};
  socket.setEncoding("latin1").on("data", (text) => {
    received += text;
    wake();
  });
  socket.on("error", () => socket.destroy());
  socket.on("close", () => wake());

  const arrived = async (wanted: RegExp): Promise<RegExpExecArray> => {
    const late = setTimeout(() => socket.destroy(), 20_000);
    try {
      for (;;) {
        const found = wanted.exec(received);
        if (found !== null) return found;
        if (socket.destroyed)
          throw new Error(`the mail server closed the connection after ${JSON.stringify(received)}`);
        await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      clearTimeout(late);
    }
  };

  const command: MailConversation["command"] = async (...words) => {
    const tag = `c${++tags}`;
    received = "";
    socket.write(tag);
    for (const word of words) {
      if (typeof word === "string") socket.write(` ${word}`);
      else {
        socket.write(` {${word.length}}\r\n`);
        if ((await arrived(/^(?:\+|\S+ (?:NO|BAD))[^\n]*\n/m))[0].startsWith("+")) socket.write(word);
      }
    }
    socket.write("\r\n");
    const answer = await arrived(new RegExp(`^${tag} (OK|NO|BAD)[^\\n]*\\n`, "m"));
    if (answer[1] !== "OK") throw new Error(`${String(words[0])}: ${answer[0]}`);
    return received;
  };

  await arrived(/^\* OK[^\n]*\n/m);
  const secret = Buffer.from(`\0${username}\0${password}`).toString("base64");
  await command("AUTHENTICATE PLAIN", secret);
  return { command, isOpen: () => !socket.destroyed, close: () => socket.destroy() };
};
