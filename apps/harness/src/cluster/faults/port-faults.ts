import { SMTP_SERVER } from "@postern/memory";
import { MailServerError } from "@postern/core/mail";
import { ProviderUnavailable } from "@postern/core/oauth";
import type { AttemptOutcome } from "@postern/core/send";
import { StoreUnavailable } from "@postern/core/shared";
import type { DeliveryOutcome } from "@postern/core/webhooks";
import { Effect } from "effect";
import type { FaultTarget } from "../timeline/FaultTarget.ts";

/** The possible failures of a port's calls. */
export interface PortFaults {
  readonly target: FaultTarget;
  /** The answer to a call that had no effect. */
  readonly failed: Effect.Effect<unknown, unknown>;
  /** The answer that replaces that of a call which had its effect. */
  readonly lost: (answer: unknown) => Effect.Effect<unknown, unknown>;
  /** Members without faults, because they never fail or make no call over the network. */
  readonly safe?: ReadonlyArray<string>;
  /** Members that return an object whose members are calls too. */
  readonly opens?: ReadonlyArray<string>;
  /** The calls that a mail server may refuse, and those of them that it also refuses if the account is over quota. */
  readonly refusable?: { readonly byRights: ReadonlyArray<string>; readonly byQuota: ReadonlyArray<string> };
}

const faultsOf = (target: FaultTarget, failed: Effect.Effect<unknown, unknown>): PortFaults => ({
  target,
  failed,
  lost: () => failed,
});

const store: PortFaults = {
  ...faultsOf("store", Effect.fail(new StoreUnavailable({ detail: "simulated" }))),
  safe: ["changed", "appended", "isOursAlone"],
};

const mail = (...opens: ReadonlyArray<string>): PortFaults => ({
  ...faultsOf(
    "mail",
    Effect.fail(new MailServerError({ reason: "unreachable", operation: "simulated", detail: "simulated" })),
  ),
  opens,
});

/** Calls that change mailboxes; those in `byQuota` also store messages. */
const changes = (byQuota: ReadonlyArray<string>, ...others: ReadonlyArray<string>): PortFaults => ({
  ...mail(),
  refusable: { byRights: [...byQuota, ...others], byQuota },
});

const unsent: AttemptOutcome = { _tag: "NotSent", reason: "unreachable", detail: "simulated", server: SMTP_SERVER };
const unheard: AttemptOutcome = { _tag: "Unknown", reason: "connection_cut", detail: "simulated" };

const cut: DeliveryOutcome = {
  status: null,
  errorCode: "reset_before_headers",
  ms: 0,
  excerpt: "",
  remoteIp: null,
  retryAfter: null,
};

const STORES = [
  "AccountDirectory",
  "AccountErasures",
  "AccountWatches",
  "AgentGrantRecords",
  "ApprovalRecords",
  "AuditEntries",
  "AuthorizationCodes",
  "ConnectAttempts",
  "CreationRecords",
  "CredentialVault",
  "DeliveryLog",
  "DeliveryQueue",
  "DraftRecords",
  "Endpoints",
  "EventLedger",
  "FolderRecords",
  "FolderRemovals",
  "FollowedMailboxes",
  "Grants",
  "HostConnections",
  "IdempotencyKeys",
  "IdentityRecords",
  "LoginAttempts",
  "MovedMessages",
  "OAuthApps",
  "OutgoingJournal",
  "ParseJobs",
  "ProtocolLogs",
  "SendQuotas",
  "ServiceKeys",
  "Sessions",
  "TrackedMessages",
  "Transaction",
  "UploadRecords",
  "WrongKeys",
];

/** The ports behind a network, by name. Other ports are computed in the process, or exist only in adapters. */
export const PORT_FAULTS: ReadonlyMap<string, PortFaults> = new Map([
  ...STORES.map((name) => [name, store] as const),
  ["UploadContents", { ...store, safe: ["read"] }],
  ["MailLogin", mail()],
  ["MailboxTree", mail()],
  ["MailboxChanges", changes(["moveBatch"], "create", "rename", "remove")],
  ["MailboxReader", mail("view")],
  ["MessageReader", mail("open")],
  ["MessageChanges", changes(["move"], "setFlags", "flag", "destroy")],
  ["MessageSearch", mail()],
  ["MessageFingerprints", mail()],
  ["InboxWatch", mail("open")],
  ["SentFolder", changes(["keep"])],
  ["DraftsFolder", changes(["append"])],
  ["ServerProbe", faultsOf("mail", Effect.succeed({ _tag: "Failed", cause: "unreachable" }))],
  [
    "MailTransport",
    {
      target: "smtp",
      failed: Effect.succeed(unsent),
      lost: (outcome) =>
        Effect.succeed((outcome as AttemptOutcome)._tag === "Answered" ? unheard : (outcome as AttemptOutcome)),
      safe: ["maxMessageBytes"],
    },
  ],
  ["AuthorizationServer", faultsOf("provider", Effect.fail(new ProviderUnavailable({ retryAfter: null })))],
  ["WebhookSender", faultsOf("receiver", Effect.succeed(cut))],
]);
