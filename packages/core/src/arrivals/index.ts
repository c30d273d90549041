// Records and rules
export { ARRIVAL_FIELDS } from "./arrival-fields.ts";
