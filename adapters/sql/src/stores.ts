import { Layer } from "effect";
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

/** Every store of every domain over either database; uploaded bytes may be elsewhere. */
export const Stores = Layer.mergeAll(
  accounts,
  assistants,
  audit,
  auth,
  bounces,
  creations,
  drafts,
  events,
  folders,
  oauth,
  send,
  watch,
  webhooks,
);
