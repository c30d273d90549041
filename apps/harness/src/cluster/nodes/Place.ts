import type { Context } from "effect";
import type { Incarnation } from "../timeline/Incarnation.ts";
import type { NodeServices } from "./NodeServices.ts";

/** A node of the cluster, through all its incarnations. */
export interface Place {
  node: Incarnation | null;
  /** The current incarnation with its services; null until the node serves. */
  started: { readonly node: Incarnation; readonly services: Context.Context<NodeServices> } | null;
}
