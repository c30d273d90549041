// Use cases and workers
export { Blocks } from "./Blocks.ts";

// Records and rules
export { ARRIVAL_FIELDS } from "./arrival-fields.ts";
