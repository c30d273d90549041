import type { Duration } from "effect";

/** What ends the rows of a table. */
export interface Ending {
  /** Whether the rows belong to an account and are erased with it. */
  readonly ofAccount: boolean;
  /**
   * How long after their times the sweeps delete the rows of a living account; otherwise why there can only be so many.
   */
  readonly ends: Duration.Input | { readonly bounded: string };
  /** Columns of a row that nothing works on any more, where the type of the column does not say them. */
  readonly columns?: Readonly<Record<string, string | number | null>>;
}

const ofAccount = (ends: Ending["ends"], columns: Ending["columns"] = {}): Ending => ({
  ofAccount: true,
  ends,
  columns,
});
const ofService = (ends: Ending["ends"], columns: Ending["columns"] = {}): Ending => ({
  ofAccount: false,
  ends,
  columns,
});
const bounded = (why: string) => ({ bounded: why });

/** Every table but the list of migrations, after those that its rows refer to. */
export const ENDINGS: Readonly<Record<string, Ending>> = {
  account: ofAccount(bounded("one for each account"), {
    unreachable_cause: null,
    refused_cause: null,
    auth_kind: "password",
    servers: null,
    capabilities: "[]",
    tags: "[]",
  }),
  account_erasure: ofAccount(bounded("one for each account, until its other rows are erased")),
  account_tag: ofAccount(bounded("the tags of an account are limited")),
  account_watch: ofAccount(bounded("one for each account")),
  agent_grant: ofAccount(bounded("a person makes each by a consent; expired ones end with what they asked for")),
  assistant_client: ofService(bounded("the operator makes and deletes them; registered ones are limited")),
  authorization_code: ofAccount("0 seconds"),
  approval: ofAccount("97 days", { state: "denied" }),
  audit_entry: ofService("90 days"),
  begun_move: ofAccount("90 days"),
  connect_attempt: ofService("0 seconds"),
  contact: ofAccount(bounded("one for each address that the account wrote to"), { forgotten_at: null }),
  creation: ofAccount("1 day"),
  credential: ofAccount(bounded("one for each account"), { rejected_at: null }),
  draft: ofAccount("30 days", { state: "sent", due_at: null, has_copy: 0 }),
  event: ofAccount("14 days"),
  event_feed: ofService(bounded("one row")),
  event_count: ofAccount(bounded("one for each account or application")),
  expected_message: ofAccount("0 seconds"),
  folder_list: ofAccount(bounded("one for each account")),
  folder: ofAccount(bounded("the folders of the mailbox, replaced with each listing")),
  folder_removal: ofAccount("1 day", { phase: "finished" }),
  followed_mailbox: ofAccount(bounded("one for each followed folder")),
  host_connection: ofService("1 day"),
  idempotency_key: ofAccount("1 day"),
  identity: ofAccount(bounded("the identities of an account are limited")),
  left_message: ofAccount("90 days"),
  login_attempt: ofAccount("1 day"),
  login_success: ofAccount("30 days"),
  moved_message: ofAccount(bounded("at most a million of an account")),
  node: ofService(bounded("each process of a cluster deletes those that ended")),
  oauth_app: ofService(bounded("the apps of the operator")),
  outgoing: ofAccount("30 days", { due_at: null, lease_token: null }),
  outgoing_contents: ofAccount("30 days"),
  outgoing_recipient: ofAccount("30 days"),
  parse_job: ofAccount(bounded("a worker finishes each within days"), { due_at: null }),
  protocol_log: ofAccount("1 day"),
  protocol_log_batch: ofAccount("1 day"),
  reported_recipient: ofAccount("30 days"),
  seen_message: ofAccount(bounded("the messages that are in the followed folders")),
  sender_block: ofAccount(bounded("the blocked senders of an account are limited")),
  send_quota: ofAccount(bounded("one for each account or key")),
  sent_scan: ofAccount(bounded("one for each account")),
  service_key: ofService(bounded("an operator makes and deletes them")),
  service_secret: ofService(bounded("the names are in the code")),
  session: ofAccount("0 seconds"),
  application: ofService(bounded("forgotten with the application")),
  suspended_application: ofService(bounded("an operator suspends, resumes and deletes applications")),
  tracked_message: ofAccount("30 days"),
  upgrade_task: ofService(bounded("the names are in the code")),
  upload: ofAccount("1 day", { state: "complete" }),
  upload_chunk: ofAccount("1 day"),
  upload_pin: ofAccount("30 days"),
  write_probe: ofService(bounded("deleted in the transaction that makes it")),
  wrong_key: ofService("15 minutes"),
  endpoint: ofAccount(bounded("the endpoints of an account are limited"), {
    application: null,
    removed_at: null,
    state: "enabled",
    events: "[]",
    reach: null,
  }),
  endpoint_reach: ofAccount(bounded("the reach of an endpoint is limited")),
  endpoint_secret: ofAccount(bounded("one for each endpoint")),
  delivery: ofAccount("14 days", { state: "succeeded", lease_until: null, lease_token: null }),
  attempt: ofAccount("14 days"),
};
