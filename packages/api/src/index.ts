export * from "./PosternApi.ts";
export * from "./auth/Authorization.ts";
export * from "./auth/CurrentPrincipal.ts";
export * from "./groups/AccountGroup.ts";
export { AuditEntry } from "./groups/AuditGroup.ts";
export * from "./groups/assistants/GrantsGroup.ts";
export * from "./groups/assistants/OAuthClientsGroup.ts";
export * from "./groups/AuthGroup.ts";
export * from "./groups/DraftsGroup.ts";
export * from "./groups/FolderSettingsGroup.ts";
export * from "./groups/FoldersGroup.ts";
export * from "./groups/IdentitiesGroup.ts";
export * from "./groups/InboxGroup.ts";
export * from "./groups/message-actions.ts";
export * from "./records/account-records.ts";
export * from "./groups/keys/KeysGroup.ts";
export * from "./groups/MessagesGroup.ts";
export * from "./groups/OAuthAppsGroup.ts";
export * from "./groups/OperatorGroup.ts";
export * from "./groups/SearchGroup.ts";
export * from "./groups/SendGroup.ts";
export * from "./groups/ServiceGroup.ts";
export { MAX_FORM_BYTES } from "./groups/UploadsGroup.ts";
export * from "./groups/WebhooksGroup.ts";
export * from "./auth/EndpointAuthorization.ts";
export * from "./auth/KeyAuthorization.ts";
export * from "./openapi.ts";
export * from "./problems/accounts.ts";
export * from "./problems/approvals.ts";
export * from "./problems/assistants.ts";
export * from "./problems/auth.ts";
export * from "./problems/blocks.ts";
export * from "./problems/contacts.ts";
export { CreationInProgress, IdempotencyKeyReused } from "./problems/creations.ts";
export * from "./problems/folders.ts";
export * from "./problems/drafts.ts";
export * from "./problems/identities.ts";
export * from "./problems/keys.ts";
export * from "./problems/mail-server.ts";
export * from "./problems/messages.ts";
export * from "./problems/oauth.ts";
export * from "./problems/requests.ts";
export * from "./problems/send.ts";
export * from "./problems/webhooks.ts";
export * from "./records/emails.ts";
export { Approval, ApprovalAsked, ApprovalWithCalls } from "./records/approvals.ts";
export * from "./records/outgoing-items.ts";
export * from "./document/ReadLeniently.ts";
export * from "./RequestValidation.ts";
export * from "./auth/scopes.ts";
export * from "./auth/SessionAuthorization.ts";
export {
  NewWebhookEndpoint,
  WebhookEndpoint,
  WebhookEndpointChange,
  WebhookEndpointWithSecret,
} from "./records/webhook-endpoints.ts";
export * from "./records/webhook-records.ts";
