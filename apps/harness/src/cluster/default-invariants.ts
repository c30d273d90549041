import type { Invariant } from "./Invariant.ts";
import { announcements } from "./invariants/announcements.ts";
import { applications } from "./invariants/applications.ts";
import { arrivals } from "./invariants/arrivals.ts";
import { auth } from "./invariants/auth.ts";
import { bounces } from "./invariants/bounces.ts";
import { creations } from "./invariants/creations.ts";
import { deliveries } from "./invariants/deliveries.ts";
import { draftAnswers } from "./invariants/draft-answers.ts";
import { drafts } from "./invariants/drafts.ts";
import { effects } from "./invariants/effects.ts";
import { endpoints } from "./invariants/endpoints.ts";
import { folders } from "./invariants/folders.ts";
import { grants } from "./invariants/grants.ts";
import { hygiene } from "./invariants/hygiene.ts";
import { idempotency } from "./invariants/idempotency.ts";
import { ladder } from "./invariants/ladder.ts";
import { leases } from "./invariants/leases.ts";
import { liveEvents } from "./invariants/live-events.ts";
import { logins } from "./invariants/logins.ts";
import { mailbox } from "./invariants/mailbox.ts";
import { managedAccounts } from "./invariants/managed-accounts.ts";
import { outbox } from "./invariants/outbox.ts";
import { outcomes } from "./invariants/outcomes.ts";
import { promptness } from "./invariants/promptness.ts";
import { senders } from "./invariants/senders.ts";
import { sending } from "./invariants/sending.ts";
import { sentEvents } from "./invariants/sent-events.ts";

/** Everything that must hold in every seed. */
export const defaultInvariants: ReadonlyArray<Invariant> = [
  announcements,
  applications,
  arrivals,
  auth,
  bounces,
  creations,
  deliveries,
  draftAnswers,
  drafts,
  effects,
  endpoints,
  folders,
  grants,
  hygiene,
  idempotency,
  ladder,
  leases,
  liveEvents,
  logins,
  mailbox,
  managedAccounts,
  outbox,
  outcomes,
  promptness,
  senders,
  sending,
  sentEvents,
];
