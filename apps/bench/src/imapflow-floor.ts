import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import type { Run } from "./statistics.ts";

export interface ImapJob {
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly operation: "folders" | "page" | "login";
  readonly page?: number;
  readonly connections: number;
  readonly millis: number;
}

/** imapflow on kept connections with INBOX selected: the floor under everything that reads mail. */
export const startImapflow = () => {
  const child: ChildProcess = fork(new URL("./floors/imapflow.ts", import.meta.url), { stdio: "inherit" });
  return {
    run: async (job: ImapJob): Promise<Run> => {
      const answered = once(child, "message");
      const died = once(child, "exit").then(([code]) => Promise.reject(new Error(`imapflow ended with ${code}`)));
      child.send(job);
      const [run] = (await Promise.race([answered, died])) as [Run];
      return run;
    },
    stop: () => child.kill(),
  };
};
