// The rules of the inputs of use cases. The HTTP contract takes its schemas and numbers from here (docs/adr/0032).
export { accountFields, serverFields } from "./accounts/rules.ts";
export { blockFields } from "./arrivals/rules.ts";
export { assistantFields } from "./assistants/rules.ts";
export { auditFields } from "./audit/rules.ts";
export { keyFields, signInFields } from "./auth/rules.ts";
export { IdempotencyKey } from "./creations/rules.ts";
export { approvalFields } from "./drafts/rules.ts";
export { EVENT_TYPES } from "./events/event-types.ts";
export { folderRule } from "./folders/rules.ts";
export { feedFields } from "./lifecycle/rules.ts";
export { listingFields, messageFields, messageRules, queryFields, searchFields } from "./messages/rules.ts";
export { appFields, connectFields, grantFields } from "./oauth/rules.ts";
export { MAX_ATTACHMENT_BYTES } from "./send/limits.ts";
export {
  attachmentFields,
  contactFields,
  identityFields,
  invitationFields,
  outboxRules,
  sendFields,
} from "./send/rules.ts";
export { Count, LongId, pageFields, PositiveInt, RecordId, Text } from "./shared/rules.ts";
export { webhookFields } from "./webhooks/rules.ts";
