import type { Socket } from "node:net";

/** A sign-in with a correct password that is still unanswered. */
export interface SignIn {
  readonly tag: string;
  readonly username: string;
}

/** Speaks IMAP with a client until the client signs in by AUTHENTICATE PLAIN, then passes the socket to `handOver`. */
export const readSignIn = (
  socket: Socket,
  capabilities: string,
  isGood: (user: string, password: string) => boolean,
  handOver: (signIn: SignIn) => void,
): void => {
  let buffered = "";
  let waiting: string | undefined;
  const authenticate = (tag: string, response: string) => {
    const [, username = "", password = ""] = Buffer.from(response, "base64").toString().split("\0");
    if (!isGood(username, password)) return void socket.write(`${tag} NO Login failed.\r\n`);
    socket.off("data", read);
    handOver({ tag, username });
  };
  const answer = (line: string) => {
    if (waiting !== undefined) {
      const tag = waiting;
      waiting = undefined;
      return authenticate(tag, line);
    }
    const [tag = "", verb = "", mechanism, response] = line.split(" ");
    const isPlain = verb.toUpperCase() === "AUTHENTICATE" && mechanism?.toUpperCase() === "PLAIN";
    if (isPlain && response !== undefined) return authenticate(tag, response);
    if (isPlain) {
      waiting = tag;
      return void socket.write("+ \r\n");
    }
    if (verb.toUpperCase() === "LOGOUT")
      return void socket.end(`* BYE Courier-IMAP server shutting down\r\n${tag} OK\r\n`);
    if (verb.toUpperCase() === "CAPABILITY") socket.write(`* CAPABILITY ${capabilities}\r\n`);
    const isKnown = ["CAPABILITY", "NOOP"].includes(verb.toUpperCase());
    socket.write(`${tag} ${isKnown ? "OK done" : "BAD not before the sign-in"}\r\n`);
  };
  const read = (bytes: Buffer) => {
    buffered += bytes.toString("latin1");
    for (let end = buffered.indexOf("\r\n"); end >= 0; end = buffered.indexOf("\r\n")) {
      const line = buffered.slice(0, end);
      buffered = buffered.slice(end + 2);
      answer(line);
    }
  };
  socket.on("data", read);
  socket.write(`* OK [CAPABILITY ${capabilities}] Courier-IMAP ready.\r\n`);
};
