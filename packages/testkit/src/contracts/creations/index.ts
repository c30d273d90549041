import { creationRecordsContract } from "./creation-records-contract.ts";

/** The contracts of the stores of `creations`, by port. */
export const creationsStores = {
  CreationRecords: creationRecordsContract,
};
