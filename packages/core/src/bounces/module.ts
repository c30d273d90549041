import { Effect } from "effect";
import type { AccountData } from "../shared/neighbours.ts";
import { ParseJobs } from "./ports/ParseJobs.ts";
import { ReportWorker } from "./ReportWorker.ts";

/** The domain of bounces: reports in the mailbox about sent messages. */
export const bounces = {
  layer: ReportWorker.layer,
  data: Effect.map(ParseJobs, ({ erase }): AccountData => ({ name: "bounces", erase })),
  workers: Effect.map(ReportWorker, (worker) => [worker]),
};
