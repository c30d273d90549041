import type { Invariant } from "./Invariant.ts";
import { accountTerms } from "./invariants/apart/applications/account-terms.ts";
import { accountWalk } from "./invariants/apart/walks/accounts/account-walk.ts";
import { agentTerms } from "./invariants/apart/agents/agent-terms.ts";
import { announcements } from "./invariants/accounts/announcements.ts";
import { answerWalk } from "./invariants/apart/walks/answers/answer-walk.ts";
import { contactWalk } from "./invariants/apart/walks/contacts/contact-walk.ts";
import { identityWalk } from "./invariants/apart/walks/identities/identity-walk.ts";
import { answeredMail } from "./invariants/send/answered-mail.ts";
import { applications } from "./invariants/accounts/applications.ts";
import { appWalk } from "./invariants/apart/walks/apps/app-walk.ts";
import { approvalWalk } from "./invariants/apart/walks/approvals/approval-walk.ts";
import { approvals } from "./invariants/send/approvals.ts";
import { approvedMail } from "./invariants/send/approved-mail.ts";
import { arrivals } from "./invariants/mail/arrivals.ts";
import { assistantWalk } from "./invariants/apart/walks/assistants/assistant-walk.ts";
import { auth } from "./invariants/accounts/auth.ts";
import { awaitedMail } from "./invariants/mail/awaited-mail.ts";
import { blockedMail } from "./invariants/mail/blocked-mail.ts";
import { blockWalk } from "./invariants/apart/walks/blocks/block-walk.ts";
import { bounces } from "./invariants/mail/bounces.ts";
import { connections } from "./invariants/accounts/connections.ts";
import { consentWalk } from "./invariants/apart/walks/consents/consent-walk.ts";
import { contacts } from "./invariants/send/contacts.ts";
import { creations } from "./invariants/workers/creations.ts";
import { deadlines } from "./invariants/deadlines/deadlines.ts";
import { deliveries } from "./invariants/webhooks/deliveries.ts";
import { deliveryTerms } from "./invariants/apart/delivery-terms.ts";
import { deviceWalk } from "./invariants/apart/walks/devices/device-walk.ts";
import { draftAnswers } from "./invariants/mail/draft-answers.ts";
import { draftWalk } from "./invariants/apart/walks/drafts/draft-walk.ts";
import { drafts } from "./invariants/mail/drafts.ts";
import { effects } from "./invariants/workers/effects.ts";
import { endpointNotices } from "./invariants/apart/applications/endpoint-notices.ts";
import { endpoints } from "./invariants/webhooks/endpoints.ts";
import { folders } from "./invariants/mail/folders/folders.ts";
import { grants } from "./invariants/accounts/grants.ts";
import { heldMail } from "./invariants/send/held-mail.ts";
import { hostLimits } from "./invariants/apart/host-limits.ts";
import { hygiene } from "./invariants/workers/hygiene.ts";
import { idempotency } from "./invariants/send/idempotency.ts";
import { keyWalk } from "./invariants/apart/walks/keys/key-walk.ts";
import { keyTerms } from "./invariants/apart/applications/key-terms.ts";
import { ladder } from "./invariants/webhooks/ladder.ts";
import { leases } from "./invariants/workers/leases.ts";
import { lifetimes } from "./invariants/send/lifetimes.ts";
import { linkWalk } from "./invariants/apart/walks/links/link-walk.ts";
import { listings } from "./invariants/mail/listings.ts";
import { listWalk } from "./invariants/apart/walks/lists/list-walk.ts";
import { liveEvents } from "./invariants/webhooks/live-events.ts";
import { lostClaims } from "./invariants/webhooks/lost-claims.ts";
import { logins } from "./invariants/accounts/logins.ts";
import { lostMoves } from "./invariants/apart/lost-moves.ts";
import { mailbox } from "./invariants/mail/mailbox.ts";
import { managedAccounts } from "./invariants/accounts/managed-accounts.ts";
import { moves } from "./invariants/mail/moves.ts";
import { reaches } from "./invariants/webhooks/reaches.ts";
import { replays } from "./invariants/webhooks/replays.ts";
import { conversationWalk } from "./invariants/apart/walks/search/conversation-walk.ts";
import { credentials } from "./invariants/accounts/credentials.ts";
import { folderEvents } from "./invariants/mail/folders/folder-events.ts";
import { repeats } from "./invariants/send/repeats.ts";
import { outbox } from "./invariants/send/outbox.ts";
import { outcomes } from "./invariants/send/outcomes.ts";
import { outboxWalk } from "./invariants/apart/walks/sending/outbox-walk.ts";
import { pins } from "./invariants/send/pins.ts";
import { promptness } from "./invariants/workers/promptness.ts";
import { senders } from "./invariants/send/senders.ts";
import { reportWalk } from "./invariants/apart/walks/reports/report-walk.ts";
import { sending } from "./invariants/send/sending.ts";
import { clientWalk } from "./invariants/apart/walks/clients/client-walk.ts";
import { commits } from "./invariants/workers/commits.ts";
import { credentialNeeds } from "./invariants/accounts/credential-needs.ts";
import { feedWalk } from "./invariants/apart/walks/feeds/feed-walk.ts";
import { feeds } from "./invariants/webhooks/feeds.ts";
import { flagEvents } from "./invariants/mail/flag-events.ts";
import { departures } from "./invariants/mail/departures.ts";
import { crossedChanges, crossedSignIns, crossedWatches } from "./invariants/crossings/crossings.ts";
import { removalEffects } from "./invariants/workers/removal-effects.ts";
import { exchanges } from "./invariants/accounts/exchanges.ts";
import { mailboxTakeovers, takeovers } from "./invariants/takeovers/takeovers.ts";
import { writtenMail } from "./invariants/send/written-mail.ts";
import { sentEvents } from "./invariants/send/sent-events.ts";
import { sessionWalk } from "./invariants/apart/walks/sessions/session-walk.ts";
import { sessionTerms } from "./invariants/apart/sessions/session-terms.ts";
import { signInLimits } from "./invariants/apart/sessions/sign-in-limits.ts";
import { folderPlaces } from "./invariants/mail/folders/folder-places.ts";
import { messageChanges } from "./invariants/mail/message-changes.ts";
import { listPages } from "./invariants/workers/list-pages.ts";
import { searchWalk } from "./invariants/apart/walks/search/search-walk.ts";
import { searches } from "./invariants/mail/searches.ts";
import { removalTerms } from "./invariants/apart/removal-terms.ts";
import { webhookWalk } from "./invariants/apart/walks/webhooks/webhook-walk.ts";
import { watchTerms } from "./invariants/apart/watch-terms.ts";
import { creationKeys } from "./invariants/apart/creation-keys.ts";
import { endpointEnds } from "./invariants/webhooks/endpoint-ends.ts";
import { exportWalk } from "./invariants/apart/walks/exports/export-walk.ts";
import { eventBounds } from "./invariants/apart/event-bounds.ts";
import { eventTerms } from "./invariants/apart/event-terms.ts";
import { followedFolders } from "./invariants/mail/folders/followed-folders.ts";
import { folderWalk } from "./invariants/apart/walks/folders/folder-walk.ts";
import { followingWalk } from "./invariants/apart/walks/following/following-walk.ts";
import { mailboxWalk } from "./invariants/apart/walks/mailbox/mailbox-walk.ts";
import { serverWalk } from "./invariants/apart/walks/folders/server-walk.ts";
import { storedLimits } from "./invariants/apart/stored-limits.ts";
import { streamWalk } from "./invariants/apart/walks/streams/stream-walk.ts";
import { uploadWalk } from "./invariants/apart/walks/uploads/upload-walk.ts";
import { waitWalk } from "./invariants/apart/walks/waits/wait-walk.ts";

/** The invariants of every seed. */
export const defaultInvariants: ReadonlyArray<Invariant> = [
  accountTerms,
  accountWalk,
  agentTerms,
  announcements,
  answeredMail,
  answerWalk,
  applications,
  approvals,
  approvalWalk,
  appWalk,
  approvedMail,
  arrivals,
  assistantWalk,
  auth,
  awaitedMail,
  blockedMail,
  blockWalk,
  bounces,
  clientWalk,
  commits,
  connections,
  consentWalk,
  contacts,
  contactWalk,
  conversationWalk,
  creationKeys,
  creations,
  credentialNeeds,
  credentials,
  crossedChanges,
  crossedSignIns,
  crossedWatches,
  deliveries,
  deliveryTerms,
  departures,
  deviceWalk,
  draftAnswers,
  drafts,
  draftWalk,
  effects,
  endpointEnds,
  endpointNotices,
  endpoints,
  eventTerms,
  eventBounds,
  exchanges,
  exportWalk,
  feeds,
  feedWalk,
  flagEvents,
  folderEvents,
  folderPlaces,
  folderWalk,
  followedFolders,
  followingWalk,
  folders,
  grants,
  heldMail,
  hostLimits,
  hygiene,
  idempotency,
  identityWalk,
  keyTerms,
  keyWalk,
  ladder,
  leases,
  lifetimes,
  linkWalk,
  listings,
  listPages,
  listWalk,
  liveEvents,
  logins,
  lostClaims,
  lostMoves,
  mailbox,
  mailboxTakeovers,
  mailboxWalk,
  managedAccounts,
  messageChanges,
  moves,
  outbox,
  outboxWalk,
  outcomes,
  pins,
  promptness,
  reaches,
  removalEffects,
  removalTerms,
  repeats,
  reportWalk,
  replays,
  searches,
  searchWalk,
  senders,
  sending,
  sentEvents,
  serverWalk,
  sessionTerms,
  sessionWalk,
  signInLimits,
  storedLimits,
  streamWalk,
  takeovers,
  uploadWalk,
  waitWalk,
  writtenMail,
  watchTerms,
  webhookWalk,
  // The last client that runs alone, because it lets a month pass.
  deadlines,
];
