import { parseJobsContract } from "./parse-jobs-contract.ts";

/** The contracts of the stores of `bounces`, by port. */
export const bouncesStores = {
  ParseJobs: parseJobsContract,
};
