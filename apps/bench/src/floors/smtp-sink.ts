import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";

/** Accepts all mail, in a separate process; answers each job with its port and count. */
let taken = 0;
const smtp = new SMTPServer({
  authOptional: true,
  allowInsecureAuth: true,
  disabledCommands: ["STARTTLS"],
  disableReverseLookup: true,
  onAuth: ({ username }, _, done) => done(null, { user: username }),
  onData: (message, _, done) => {
    message.resume();
    message.on("end", () => {
      taken++;
      done(null, "queued");
    });
  },
});
// A client that disconnects is no error of the sink.
smtp.on("error", () => {});
const server = smtp.listen(0, "127.0.0.1");
const listening = once(server, "listening");

const answer = () => process.send?.({ port: (server.address() as AddressInfo).port, taken });
process.on("message", () => void listening.then(answer));
process.on("disconnect", () => process.exit());

export interface SinkAnswer {
  readonly port: number;
  /** The number of messages since the start. */
  readonly taken: number;
}
