import { parentPort } from "node:worker_threads";
import type { JobReply, JobRequest } from "./jobs.ts";

/** The thread in which messages are parsed, one at a time. */
const carryOut = async (job: JobRequest): Promise<JobReply["answer"]> => {
  switch (job.kind) {
    case "read":
      return (await import("./read-message.ts")).readMessage(job.input);
    case "report":
      return (await import("./parsed-message.ts")).parsedMessage(job.input);
  }
};

parentPort?.on("message", (job: JobRequest) => {
  carryOut(job).then(
    (answer) => parentPort?.postMessage({ answer } satisfies JobReply),
    () => parentPort?.postMessage({ answer: null } satisfies JobReply),
  );
});
