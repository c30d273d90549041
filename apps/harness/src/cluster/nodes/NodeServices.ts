import type { UseCases } from "@postern/core";
import type { Layer } from "effect";
import type { NodePorts } from "./NodePorts.ts";

/** The services of a started node: its use cases and ports. */
export type NodeServices = Layer.Success<typeof UseCases> | NodePorts;
