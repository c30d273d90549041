import { Schema } from "effect";
import { RecordId, textUpTo } from "../shared/rules.ts";

/** The operations that leave an entry, by their ids in the contract. */
const AUDITED_OPERATIONS = [
  "accounts.change",
  "accounts.create",
  "accounts.remove",
  "accounts.startTrace",
  "approvals.approve",
  "approvals.deny",
  "approvals.request",
  "drafts.remove",
  "drafts.send",
  "folderSettings.remove",
  "grants.change",
  "grants.remove",
  "identities.change",
  "identities.create",
  "identities.remove",
  "keys.change",
  "keys.changeApplication",
  "keys.make",
  "keys.remove",
  "keys.removeApplication",
  "keys.resume",
  "keys.suspend",
  "messages.batch",
  "messages.remove",
  "oauthApps.keep",
  "oauthApps.remove",
  "oauthClients.make",
  "oauthClients.remove",
  "operator.cancel",
  "operator.hold",
  "operator.release",
  "send.cancel",
  "send.release",
  "send.send",
  "send.sendNow",
  "webhooks.change",
  "webhooks.create",
  "webhooks.disable",
  "webhooks.enable",
  "webhooks.remove",
  "webhooks.rotateSecret",
] as const;

/** The rules of the fields by which the audit is searched (spec 8.7). */
export const auditFields = {
  key: RecordId,
  account: textUpTo(512),
  operation: Schema.Literals(AUDITED_OPERATIONS),
};
