export * from "./receivers/verify-webhook.ts";
export * from "./receivers/WebhookRejected.ts";
