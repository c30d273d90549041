import { Schema } from "effect";
import type { StoredJson } from "../../shared/index.ts";
import { storedJson, VERSION_1 } from "../../shared/neighbours.ts";
import { OPEN_CLASSES, type TrackedMessage } from "./opens.ts";

const OpenCounts = Schema.optionalKey(Schema.Struct({ count: Schema.Number, lastEventAt: Schema.Number }));
const [HUMAN, PROXY, PREFETCH, SCANNER] = OPEN_CLASSES;

/** The JSON of a message's openings by class. */
export const openCountsJson: StoredJson<TrackedMessage["opens"]> = storedJson(
  Schema.Struct({
    ...VERSION_1,
    [HUMAN]: OpenCounts,
    [PROXY]: OpenCounts,
    [PREFETCH]: OpenCounts,
    [SCANNER]: OpenCounts,
  }),
);
