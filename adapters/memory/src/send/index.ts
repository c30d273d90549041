import { Layer } from "effect";
import { layer as ContactRecords } from "./ContactRecords.ts";
import { layer as IdempotencyKeys } from "./IdempotencyKeys.ts";
import { layer as IdentityRecords } from "./IdentityRecords.ts";
import { layer as OutgoingJournal } from "./OutgoingJournal.ts";
import { layer as SendQuotas } from "./SendQuotas.ts";
import { layer as TrackedMessages } from "./TrackedMessages.ts";
import { layer as UploadRecords } from "./UploadRecords.ts";

/** The stores of `send`. */
export const layer = Layer.mergeAll(
  ContactRecords,
  IdempotencyKeys,
  IdentityRecords,
  OutgoingJournal,
  SendQuotas,
  TrackedMessages,
  UploadRecords,
);
