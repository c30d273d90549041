import type { Account } from "@postern/core/accounts";
import { Fingerprints, type ServiceKey } from "@postern/core/auth";
import type { Folder } from "@postern/core/folders";
import type { Identity } from "@postern/core/send";
import { canonicalText } from "@postern/core/shared";
import { type Endpoint, settingsOf } from "@postern/core/webhooks";
import { Effect } from "effect";

/** Letters of a version: 96 bits of a hash. */
const VERSION_CHARS = 16;

/** The versions of records (spec 2.7): a hash of what requests change of each, so that a new state is no new version. */
export const recordVersions = Effect.map(Fingerprints, ({ ofToken }) => {
  const of = (content: object): string => ofToken(canonicalText(content)).slice(0, VERSION_CHARS);
  return {
    account: ({ name, pausedAt, servers, tags }: Account) => of({ name, isPaused: pausedAt !== null, servers, tags }),
    endpoint: (endpoint: Endpoint) => of(settingsOf(endpoint, endpoint.events)),
    folder: ({ name, parentId }: Pick<Folder, "name" | "parentId">) => of({ name, parentId }),
    identity: ({ name, replyTo, signatureText, signatureHtml, isDefault }: Identity) =>
      of({ name, replyTo, signatureText, signatureHtml, isDefault }),
    key: ({ name, application, scopes, accounts, networks, expiresAt, sendPerDay, notify }: ServiceKey) =>
      of({ name, application, scopes, accounts, networks, expiresAt, sendPerDay, notify }),
  };
});
