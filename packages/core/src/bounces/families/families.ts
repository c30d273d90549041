import type { Family } from "./Family.ts";
import { MTA_FAMILIES } from "./mta-families.ts";
import { PROVIDER_FAMILIES } from "./provider-families.ts";

/** The rules in the order of their trial. The first rule whose conditions all hold names the report. */
export const FAMILIES: ReadonlyArray<Family> = [...PROVIDER_FAMILIES, ...MTA_FAMILIES];
