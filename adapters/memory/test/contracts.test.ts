import {
  AuthorizationServerInMemory,
  ClientDocumentsInMemory,
  DocumentsInMemory,
  discoverySourcesInMemory,
  DomainsInMemory,
  egressGuardInMemory,
  EndpointPolicyInMemory,
  EntropyInMemory,
  HostsInMemory,
  MailInMemory,
  type MailWorld,
  OpaqueIdsInMemory,
  ProviderInMemory,
  ReceiversInMemory,
  DraftsFolderInMemory,
  SentFolderInMemory,
  ServerProbeInMemory,
  ServersInMemory,
  StoresInMemory,
  UploadContentsInMemory,
  webhookSenderInMemory,
} from "@postern/memory";
import {
  authorizationServerContract,
  clientDocumentsContract,
  PublishedDocuments,
  discoverySourcesContract,
  egressGuardContract,
  endpointPolicyContract,
  entropyContract,
  folderManagementContract,
  inboxPagingContract,
  inboxWatchContract,
  mailboxChangesContract,
  mailboxReaderContract,
  mailboxTreeContract,
  mailLoginContract,
  mailTransportContract,
  messageChangesContract,
  messageFingerprintsContract,
  messageReaderContract,
  messageSearchContract,
  searchPagingContract,
  readOnlyContract,
  runContracts,
  STORE_DOMAINS,
  opaqueIdsContract,
  overQuotaContract,
  passwordsOnly,
  QUOTA,
  draftsFolderContract,
  sentFolderContract,
  serverProbeContract,
  watchNodesContract,
  webhookSenderContract,
} from "@postern/testkit";
import { Effect, Layer } from "effect";
import { GuardedHostsInMemory } from "./guarded-hosts.ts";
import { MailDomainsInMemory } from "./mail-domains.ts";
import { OAuthProvidersInMemory } from "./oauth-providers.ts";
import { MailTransportWithControl } from "./mail-transport-control.ts";
import { EmptyWorld, MailWorldControl, worldWithQuota } from "./MailWorldControl.ts";
import { ProbedServersInMemory } from "./probed-servers.ts";
import { ScriptedReceivers } from "./scripted-receivers.ts";

const mailOf = (world: Layer.Layer<MailWorld>) =>
  Layer.mergeAll(MailInMemory, SentFolderInMemory, DraftsFolderInMemory, MailWorldControl).pipe(
    Layer.provide(passwordsOnly),
    Layer.provideMerge(StoresInMemory),
    Layer.provide(world),
  );
const Mail = mailOf(EmptyWorld);

mailLoginContract("MailLogin in memory", Mail);
mailboxTreeContract("MailboxTree in memory", Mail);
inboxWatchContract("InboxWatch in memory", Mail);
messageFingerprintsContract("MessageFingerprints in memory", Mail);
mailboxChangesContract("MailboxChanges in memory", Mail, { marks: true });
mailboxReaderContract("MailboxReader in memory", Mail);
messageChangesContract("MessageChanges in memory", Mail);
messageSearchContract("MessageSearch in memory", Mail);
readOnlyContract("a mailbox to read only, in memory", Mail);
overQuotaContract("a full account in memory", mailOf(worldWithQuota(QUOTA)));
messageReaderContract("MessageReader in memory", Mail);
sentFolderContract("SentFolder in memory", Mail);
draftsFolderContract("DraftsFolder in memory", Mail);
inboxPagingContract("Inbox over the mail world in memory", Layer.merge(Mail, OpaqueIdsInMemory), { runs: 200 });
searchPagingContract("Search over the mail world in memory", Layer.merge(Mail, OpaqueIdsInMemory));
folderManagementContract("FolderManagement in memory", Layer.mergeAll(Mail, OpaqueIdsInMemory, EntropyInMemory));
authorizationServerContract(
  "AuthorizationServer in memory",
  Layer.merge(AuthorizationServerInMemory, OAuthProvidersInMemory).pipe(Layer.provide(ProviderInMemory.layer)),
);
clientDocumentsContract(
  "ClientDocuments in memory",
  Layer.merge(
    ClientDocumentsInMemory,
    Layer.effect(
      PublishedDocuments,
      Effect.map(DocumentsInMemory, (documents) => ({
        publish: (text) =>
          Effect.sync(() => {
            const url = `https://assistant.example/${documents.size}`;
            documents.set(url, text);
            return url;
          }),
      })),
    ),
  ).pipe(Layer.provide(DocumentsInMemory.layer)),
);
for (const domain of STORE_DOMAINS) {
  runContracts(domain, "in memory", Layer.merge(StoresInMemory, UploadContentsInMemory));
}
watchNodesContract("nodes in memory", StoresInMemory);
opaqueIdsContract("OpaqueIds in memory", OpaqueIdsInMemory);
entropyContract("Entropy in memory", EntropyInMemory);

const Webhooks = Layer.mergeAll(
  ScriptedReceivers,
  webhookSenderInMemory({ timeout: "300 millis" }),
  EndpointPolicyInMemory,
).pipe(Layer.provide(ReceiversInMemory.layer));

webhookSenderContract("WebhookSender in memory", Webhooks);
endpointPolicyContract("EndpointPolicy in memory", Webhooks);
mailTransportContract("MailTransport in memory", MailTransportWithControl);
egressGuardContract(
  "EgressGuard in memory",
  Layer.merge(egressGuardInMemory([143, 465, 587, 993]), GuardedHostsInMemory).pipe(Layer.provide(HostsInMemory.layer)),
);
discoverySourcesContract(
  "DiscoverySources in memory",
  Layer.merge(discoverySourcesInMemory, MailDomainsInMemory).pipe(Layer.provide(DomainsInMemory.layer)),
);

for (const protocol of ["imap", "smtp"] as const) {
  serverProbeContract(
    `ServerProbe in memory, ${protocol}`,
    protocol,
    Layer.merge(
      Layer.provide(ServerProbeInMemory, Layer.provideMerge(egressGuardInMemory(), GuardedHostsInMemory)),
      ProbedServersInMemory,
    ).pipe(Layer.provide([HostsInMemory.layer, ServersInMemory.layer])),
  );
}
