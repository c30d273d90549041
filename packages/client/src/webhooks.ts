export * from "./verify-webhook.ts";
export * from "./WebhookRejected.ts";
