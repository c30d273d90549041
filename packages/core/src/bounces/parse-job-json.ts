import { Schema } from "effect";
import { AccountId, type StoredJson } from "../shared/index.ts";
import { storedJson, VERSION_1 } from "../shared/neighbours.ts";
import type { ParseJob } from "./ParseJob.ts";

/** The stored JSON of a job. */
export const parseJobJson: StoredJson<ParseJob> = storedJson(
  Schema.Struct({
    ...VERSION_1,
    id: Schema.String,
    account: Schema.String.pipe(Schema.fromBrand("AccountId", AccountId)),
    place: Schema.Struct({ path: Schema.String, uidValidity: Schema.Number, uid: Schema.Number }),
    arrivedAt: Schema.Number,
    seenAt: Schema.Number,
    failures: Schema.Number,
    delays: Schema.Number,
  }),
);
