import { Schema } from "effect";
import type { KeyReach } from "../auth/index.ts";
import { storedJson } from "../shared/neighbours.ts";
import { type StoredJson } from "../shared/index.ts";

/** The stored form of the reach of an application's endpoint. */
export const endpointReachJson: StoredJson<KeyReach> = storedJson(Schema.Array(Schema.String));
