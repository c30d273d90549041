// Written by `npm run openapi` from the contract; change that instead.

/** An operation: where it is, what a call gives after the address and the path, and what of the answer it returns. */
export interface Operation {
  /** The group and the name; the group alone where it is called itself. */
  readonly call: string;
  /** The method and the path. */
  readonly asks: string;
  readonly takes: ReadonlyArray<string>;
  readonly answer: string;
}

export const OPERATIONS: ReadonlyArray<Operation> = [
  {"call":"auth.sessions","asks":"GET /api/auth/sessions","takes":[],"answer":"member data"},
  {"call":"auth.endSession","asks":"DELETE /api/auth/sessions/{id}","takes":[],"answer":"member data"},
  {"call":"account.get","asks":"GET /api/account","takes":[],"answer":"member data"},
  {"call":"account.remove","asks":"DELETE /api/account","takes":[],"answer":"member data"},
  {"call":"folders","asks":"GET /api/folders","takes":[],"answer":"member folders"},
  {"call":"folderSettings","asks":"GET /api/settings/folders","takes":[],"answer":"member data"},
  {"call":"folderSettings.create","asks":"POST /api/settings/folders","takes":["payload","header"],"answer":"member data"},
  {"call":"folderSettings.change","asks":"PATCH /api/settings/folders/{id}","takes":["payload","header"],"answer":"member data"},
  {"call":"folderSettings.remove","asks":"DELETE /api/settings/folders/{id}","takes":["query","header"],"answer":"member data"},
  {"call":"inbox","asks":"GET /api/inbox","takes":["query"],"answer":"members"},
  {"call":"messages.read","asks":"GET /api/messages/{id}","takes":[],"answer":"member data"},
  {"call":"messages.change","asks":"PATCH /api/messages/{id}","takes":["payload"],"answer":"member data"},
  {"call":"messages.remove","asks":"DELETE /api/messages/{id}","takes":["query"],"answer":"member data"},
  {"call":"messages.raw","asks":"GET /api/messages/{id}/raw","takes":["header"],"answer":"bytes"},
  {"call":"messages.attachment","asks":"GET /api/messages/{id}/attachments/{attachmentId}","takes":["header"],"answer":"bytes"},
  {"call":"messages.batch","asks":"POST /api/messages/batch","takes":["payload"],"answer":"member data"},
  {"call":"search","asks":"GET /api/search","takes":["query"],"answer":"members"},
  {"call":"search.thread","asks":"GET /api/threads/{id}","takes":[],"answer":"members"},
  {"call":"send","asks":"POST /api/send","takes":["payload","header"],"answer":"members"},
  {"call":"send.list","asks":"GET /api/outbox","takes":[],"answer":"member data"},
  {"call":"send.cancel","asks":"DELETE /api/outbox/{id}","takes":[],"answer":"member data"},
  {"call":"send.sendNow","asks":"POST /api/outbox/{id}/send-now","takes":[],"answer":"member data"},
  {"call":"send.release","asks":"POST /api/outbox/{id}/release","takes":[],"answer":"member data"},
  {"call":"drafts","asks":"GET /api/drafts","takes":[],"answer":"member data"},
  {"call":"drafts.create","asks":"POST /api/drafts","takes":["payload","header"],"answer":"member data"},
  {"call":"drafts.get","asks":"GET /api/drafts/{id}","takes":[],"answer":"member data"},
  {"call":"drafts.save","asks":"PUT /api/drafts/{id}","takes":["payload","header"],"answer":"member data"},
  {"call":"drafts.remove","asks":"DELETE /api/drafts/{id}","takes":["header"],"answer":"member data"},
  {"call":"drafts.send","asks":"POST /api/drafts/{id}/send","takes":["header"],"answer":"members"},
  {"call":"identities","asks":"GET /api/identities","takes":[],"answer":"member data"},
  {"call":"identities.create","asks":"POST /api/identities","takes":["payload","header"],"answer":"member data"},
  {"call":"identities.change","asks":"PATCH /api/identities/{id}","takes":["payload","header"],"answer":"member data"},
  {"call":"identities.remove","asks":"DELETE /api/identities/{id}","takes":["header"],"answer":"member data"},
  {"call":"uploads.upload","asks":"POST /api/uploads","takes":["file"],"answer":"member data"},
  {"call":"uploads.download","asks":"GET /api/uploads/{id}","takes":["header"],"answer":"bytes"},
  {"call":"webhooks.create","asks":"POST /api/settings/webhooks","takes":["payload","header"],"answer":"member data"},
  {"call":"webhooks","asks":"GET /api/settings/webhooks","takes":[],"answer":"member data"},
  {"call":"webhooks.eventTypes","asks":"GET /api/settings/webhooks/event-types","takes":[],"answer":"member data"},
  {"call":"webhooks.get","asks":"GET /api/settings/webhooks/{id}","takes":[],"answer":"member data"},
  {"call":"webhooks.change","asks":"PATCH /api/settings/webhooks/{id}","takes":["payload","header"],"answer":"member data"},
  {"call":"webhooks.remove","asks":"DELETE /api/settings/webhooks/{id}","takes":["header"],"answer":"member data"},
  {"call":"webhooks.enable","asks":"POST /api/settings/webhooks/{id}/enable","takes":[],"answer":"member data"},
  {"call":"webhooks.disable","asks":"POST /api/settings/webhooks/{id}/disable","takes":[],"answer":"member data"},
  {"call":"webhooks.test","asks":"POST /api/settings/webhooks/{id}/test","takes":["payload"],"answer":"member data"},
  {"call":"webhooks.rotateSecret","asks":"POST /api/settings/webhooks/{id}/rotate-secret","takes":["payload"],"answer":"member data"},
  {"call":"webhooks.deliveries","asks":"GET /api/settings/webhooks/{id}/deliveries","takes":["query"],"answer":"members"},
  {"call":"webhooks.resend","asks":"POST /api/settings/webhooks/{id}/deliveries/{deliveryId}/resend","takes":[],"answer":"member data"},
  {"call":"webhooks.replay","asks":"POST /api/settings/webhooks/{id}/replay","takes":["payload"],"answer":"member data"},
  {"call":"service.limits","asks":"GET /api/limits","takes":[],"answer":"member data"},
];
