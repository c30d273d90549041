import type { MailCredentials } from "@postern/core/oauth";
import type { MailTransport } from "@postern/core/send";
import type { WebhookSender } from "@postern/core/webhooks";
import type { DraftsFolderInMemory, MailInMemory, mailProvidersInMemory, SentFolderInMemory } from "@postern/memory";
import type { Layer } from "effect";
import type { processFakes } from "./process-fakes.ts";
import type { SimulatedStores } from "./SimulatedStores.ts";

/** The ports of a node. */
export type NodePorts =
  | SimulatedStores
  | Layer.Success<typeof MailInMemory>
  | Layer.Success<typeof SentFolderInMemory>
  | Layer.Success<typeof DraftsFolderInMemory>
  | Layer.Success<ReturnType<typeof mailProvidersInMemory>>
  | Layer.Success<ReturnType<typeof processFakes>>
  | MailCredentials
  | MailTransport
  | WebhookSender;
