import type { Family } from "./Family.ts";
import { MTA_FAMILIES } from "./mta-families.ts";
import { PROVIDER_FAMILIES } from "./provider-families.ts";

/** In the order they are tried: the first whose every condition holds names the report. Any rule may be missing. */
export const FAMILIES: ReadonlyArray<Family> = [...PROVIDER_FAMILIES, ...MTA_FAMILIES];
