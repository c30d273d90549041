import type { Transaction } from "@postern/core/shared";
import { Layer } from "effect";
import { Memory } from "./store/Memory.ts";
import { layer as accounts } from "./accounts/index.ts";
import { layer as assistants } from "./assistants/index.ts";
import { layer as audit } from "./audit/index.ts";
import { layer as auth } from "./auth/index.ts";
import { layer as bounces } from "./bounces/index.ts";
import { layer as creations } from "./creations/index.ts";
import { layer as drafts } from "./drafts/index.ts";
import { layer as events } from "./events/index.ts";
import { layer as folders } from "./folders/index.ts";
import { layer as oauth } from "./oauth/index.ts";
import { layer as send } from "./send/index.ts";
import { layer as watch } from "./watch/index.ts";
import { layer as webhooks } from "./webhooks/index.ts";

/** Every store of every domain, except the contents of uploads, over one `Memory`. */
export const StoresOverMemory = Layer.mergeAll(
  accounts,
  assistants,
  audit,
  bounces,
  creations,
  drafts,
  folders,
  oauth,
  send,
  watch,
  webhooks,
).pipe(Layer.provideMerge(auth), Layer.provideMerge(events));

/** All stores over a `SimulatedStore` that only this node uses, with transactions over all stores. */
export const StoresInMemory: Layer.Layer<Transaction | Layer.Success<typeof StoresOverMemory>> = Layer.provideMerge(
  StoresOverMemory,
  Memory.layer,
);
