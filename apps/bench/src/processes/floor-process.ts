import { fork } from "node:child_process";
import { once } from "node:events";
import { endWithParent } from "./end-with-parent.ts";

/**
 * Starts a script of `floors/` as a separate process, which answers jobs, so that its CPU time is measured separately.
 */
export const startFloor = <Job extends object, Answer>(script: string) => {
  const child = endWithParent(fork(new URL(`../floors/${script}`, import.meta.url), { stdio: "inherit" }));
  const died = once(child, "exit").then(([code]) => Promise.reject(new Error(`${script} ended with ${code}`)));
  died.catch(() => {});
  return {
    pid: child.pid!,
    run: async (job: Job): Promise<Answer> => {
      const answered = once(child, "message");
      child.send(job);
      const [answer] = (await Promise.race([answered, died])) as [Answer];
      return answer;
    },
    stop: () => child.kill(),
  };
};
