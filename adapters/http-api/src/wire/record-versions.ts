import type { Account } from "@postern/core/accounts";
import type { AgentGrant } from "@postern/core/assistants";
import { type Application, Fingerprints, type ServiceKey } from "@postern/core/auth";
import type { Folder } from "@postern/core/folders";
import type { Identity } from "@postern/core/send";
import { canonicalText } from "@postern/core/shared";
import { type Endpoint, settingsOf } from "@postern/core/webhooks";
import { Effect } from "effect";

/** Letters of a version: 96 bits of a hash. */
const VERSION_CHARS = 16;

/**
 * The versions of records (spec 2.7). A version is a hash of the fields that requests can change, so a change of only
 * the state does not change the version.
 */
export const recordVersions = Effect.map(Fingerprints, ({ ofToken }) => {
  const of = (content: object): string => ofToken(canonicalText(content)).slice(0, VERSION_CHARS);
  return {
    account: ({ name, pausedAt, servers, tags }: Account) => of({ name, isPaused: pausedAt !== null, servers, tags }),
    application: ({ displayName, purpose, colour, logo, notify }: Application) =>
      of({ displayName, purpose, colour, logo, notify }),
    endpoint: (endpoint: Endpoint) => of(settingsOf(endpoint, endpoint.events)),
    folder: ({ name, parentId }: Pick<Folder, "name" | "parentId">) => of({ name, parentId }),
    grant: ({ name, sendPolicy }: AgentGrant) => of({ name, sendPolicy }),
    identity: ({ name, replyTo, signatureText, signatureHtml, isDefault }: Identity) =>
      of({ name, replyTo, signatureText, signatureHtml, isDefault }),
    key: ({ name, application, scopes, accounts, networks, expiresAt, sendPerDay, sendPolicy, notify }: ServiceKey) =>
      of({
        name,
        application,
        scopes,
        accounts,
        networks,
        expiresAt,
        sendPerDay,
        sendPolicy: sendPolicy ?? undefined,
        notify,
      }),
  };
});
