import { Schema } from "effect";
import { AccountId, type StoredJson } from "../../shared/index.ts";
import { storedJson, VERSION_1 } from "../../shared/neighbours.ts";
import type { IdentityRecord } from "./Identity.ts";

const Text = Schema.String;

/** The JSON of an identity (spec 12.2). */
export const identityRecordJson: StoredJson<IdentityRecord> = storedJson(
  Schema.Struct({
    ...VERSION_1,
    id: Text,
    account: Text.pipe(Schema.fromBrand("AccountId", AccountId)),
    name: Text,
    address: Text,
    replyTo: Schema.NullOr(Text),
    signatureText: Text,
    signatureHtml: Text,
    isDefault: Schema.Boolean,
    createdAt: Schema.Number,
    verification: Schema.NullOr(Schema.Struct({ hash: Text, until: Schema.Number })),
  }),
);
