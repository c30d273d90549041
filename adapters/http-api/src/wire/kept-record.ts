import { AccountRecord, AuditEntry, Identity, OutgoingItem, SessionView, WebhookEndpoint } from "@postern/api";
import type { AccountExport } from "@postern/core/lifecycle";
import type { OpaqueIds } from "@postern/core/shared";
import { type Effect, Schema, type Stream } from "effect";
import { sessionView } from "./session-view.ts";
import { accountRecord } from "./account-record.ts";
import { endpointRecord } from "./endpoint-record.ts";
import { instantOf } from "./instant-of.ts";
import { outgoingItem } from "./outgoing-item.ts";
import type { recordVersions } from "./record-versions.ts";

type KeptRecord = Stream.Success<ReturnType<AccountExport["Service"]["of"]>>;
type Versions = Effect.Success<typeof recordVersions>;

/** Returns the line of a record in the export of an account, with the fields of the API. */
export const keptRecordLine = (kept: KeptRecord, ids: OpaqueIds["Service"], versions: Versions): string => {
  switch (kept._tag) {
    case "Account":
      return line("account", AccountRecord, accountRecord(ids, kept.record, versions.account(kept.record.account)));
    case "Session":
      return line("session", SessionView, sessionView(kept.record, ""));
    case "Identity":
      return line("identity", Identity, { ...kept.record, version: versions.identity(kept.record) });
    case "Endpoint":
      return line("endpoint", WebhookEndpoint, endpointRecord(kept.record, versions.endpoint(kept.record.endpoint)));
    case "Outgoing":
      return line("outbox", OutgoingItem, outgoingItem(kept.record));
    case "Event":
      return `{"type":"event","data":${new TextDecoder().decode(kept.record.body)}}\n`;
    case "Operation":
      return line("audit", AuditEntry, { ...kept.record, createdAt: instantOf(kept.record.createdAt) });
  }
};

/** Encodes a record without fields that its schema does not name. */
const line = <S extends Schema.Codec<unknown, unknown>>(type: string, schema: S, record: S["Type"]): string =>
  `${JSON.stringify({ type, data: Schema.encodeSync(schema)(record) })}\n`;
