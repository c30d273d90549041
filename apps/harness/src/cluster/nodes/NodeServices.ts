import type { UseCases } from "@postern/core";
import type { Layer } from "effect";
import type { NodePorts } from "./NodePorts.ts";

/** What a started node offers: the use cases, over its ports. */
export type NodeServices = Layer.Success<typeof UseCases> | NodePorts;
