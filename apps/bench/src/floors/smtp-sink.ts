import { SMTPServer } from "smtp-server";

/** Accepts all mail, in a separate process: listens on the port of a job; answers a job without one with its count. */
const sink = (port: number) => {
  let taken = 0;
  const server = new SMTPServer({
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
  server.on("error", () => {});
  server.listen(port, "127.0.0.1", () => process.send?.({}));
  return () => taken;
};

let count: (() => number) | undefined;
process.on("message", ({ port }: SinkJob) => {
  if (port === undefined) process.send?.({ taken: count?.() });
  else count = sink(port);
});
process.on("disconnect", () => process.exit());

export interface SinkJob {
  readonly port?: number;
}

export interface SinkAnswer {
  /** Messages since the start. */
  readonly taken: number;
}
