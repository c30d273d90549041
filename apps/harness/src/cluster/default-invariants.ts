import type { Invariant } from "./Invariant.ts";
import { applications } from "./invariants/applications.ts";
import { arrivals } from "./invariants/arrivals.ts";
import { auth } from "./invariants/auth.ts";
import { bounces } from "./invariants/bounces.ts";
import { deliveries } from "./invariants/deliveries.ts";
import { drafts } from "./invariants/drafts.ts";
import { folders } from "./invariants/folders.ts";
import { grants } from "./invariants/grants.ts";
import { hygiene } from "./invariants/hygiene.ts";
import { idempotency } from "./invariants/idempotency.ts";
import { ladder } from "./invariants/ladder.ts";
import { leases } from "./invariants/leases.ts";
import { liveEvents } from "./invariants/live-events.ts";
import { sending } from "./invariants/sending.ts";
import { sentEvents } from "./invariants/sent-events.ts";

/** Everything that must hold in every seed. */
export const defaultInvariants: ReadonlyArray<Invariant> = [
  applications,
  arrivals,
  auth,
  bounces,
  deliveries,
  drafts,
  folders,
  grants,
  hygiene,
  idempotency,
  ladder,
  leases,
  liveEvents,
  sending,
  sentEvents,
];
