import { parentPort } from "node:worker_threads";
import type { JobReply, JobRequest, WorkerMessage } from "./jobs.ts";
import { parsedMessage } from "./parsed-message.ts";
import { previewTexts } from "./preview-texts.ts";
import { readMessage } from "./read-message.ts";

/** Runs the jobs of this thread, one at a time. */
const carryOut = async (job: JobRequest): Promise<JobReply["answer"]> => {
  switch (job.kind) {
    case "read":
      return readMessage(job.input);
    case "previews":
      return previewTexts(job.input);
    case "report":
      return parsedMessage(job.input);
  }
};

const post = (message: WorkerMessage) => parentPort?.postMessage(message);

parentPort?.on("message", (job: JobRequest) => {
  carryOut(job).then(
    (answer) => post({ answer }),
    () => post({ answer: null }),
  );
});
post("ready");
