import type { LedgerEntry } from "@postern/core/events";
import type { FolderRecord } from "@postern/core/folders";
import type { OutgoingMessage } from "@postern/core/send";
import type { Delivery, Endpoint, SettledClaim } from "@postern/core/webhooks";
import type { AnsweredCall } from "../../faults/PortCall.ts";
import type { Invariant } from "../../Invariant.ts";

/**
 * A change of state, its events and their deliveries are in one commit: the end of a delivery and the change of its
 * endpoint, an event and its deliveries, a recipient's outcome and its events, a changed folder and its event. The
 * calls of the ports are checked, because the outcome is wrong only if a node ends between two commits. [S9.2-1]
 */
export const commits: Invariant = {
  name: "commits",
  watch: (cluster) => {
    const violate = (call: AnsweredCall, detail: string) =>
      cluster.violate("commits", `${call.node.name} ${call.port}.${call.method} ${detail} in one commit`);
    const states = new States();
    let calls: Array<AnsweredCall> = [];
    const check = () => {
      for (const call of calls) RULES[`${call.port}.${call.method}`]?.(call, calls, states, violate);
    };
    return {
      answered: (call) => {
        if (calls[0]?.commit === call.commit) return void calls.push(call);
        check();
        calls = [call];
      },
      quiet: check,
    };
  },
};

/** The states that were committed before. */
class States {
  readonly folders = new Map<string, ReadonlyArray<FolderRecord>>();
  readonly outcomes = new Map<string, ReadonlySet<string>>();
}

type Rule = (
  call: AnsweredCall,
  commit: ReadonlyArray<AnsweredCall>,
  states: States,
  violate: (call: AnsweredCall, detail: string) => void,
) => void;

const of = (commit: ReadonlyArray<AnsweredCall>, port: string, method: string) =>
  commit.filter((call) => call.port === port && call.method === method);

const eventsIn = (commit: ReadonlyArray<AnsweredCall>) =>
  of(commit, "EventLedger", "append").flatMap(({ answer }) =>
    (answer as ReadonlyArray<LedgerEntry>).map(({ event }) => event),
  );

/** A rule for the end of a delivery: its endpoint is disabled, or found to need no change, in the same commit. */
const endpointRule: (deliveries: (call: AnsweredCall) => ReadonlyArray<Delivery>) => Rule =
  (deliveries) => (call, commit, _, violate) => {
    const changed = new Set(of(commit, "Endpoints", "change").flatMap(({ args }) => args[0] as ReadonlyArray<string>));
    for (const { id, state, endpointId } of deliveries(call))
      if (state === "exhausted" && !changed.has(endpointId)) violate(call, `ends ${id} without changing its endpoint`);
  };

const FOLDER_EVENTS = new Set(["folder.created", "folder.renamed", "folder.deleted"]);
/** The states in which no node sends to a recipient any more. */
const ENDED: ReadonlySet<string> = new Set(["sent", "failed", "unknown"]);

/** Returns whether a folder is one of these: `*` is each folder but Junk and Trash. */
const isOf = (folders: ReadonlyArray<string>, id: string): boolean =>
  folders.includes(id) || (folders.includes("*") && id !== "junk" && id !== "trash");

const RULES: Readonly<Record<string, Rule>> = {
  "DeliveryQueue.settle": endpointRule(({ args, answer }) =>
    (args[0] as ReadonlyArray<SettledClaim>).flatMap(({ delivery }) =>
      (answer as ReadonlySet<string>).has(delivery.id) ? [delivery] : [],
    ),
  ),
  "DeliveryQueue.reap": endpointRule(({ answer }) => answer as ReadonlyArray<Delivery>),
  "EventLedger.append": (call, commit, _, violate) => {
    const queued = new Set(
      of(commit, "DeliveryQueue", "insert").flatMap(({ args }) =>
        (args[0] as ReadonlyArray<Delivery>).map(({ eventId, endpointId }) => `${eventId} ${endpointId}`),
      ),
    );
    const subscribed = of(commit, "Endpoints", "findSubscribed");
    for (const { event } of call.answer as ReadonlyArray<LedgerEntry>) {
      // An endpoint that gets the move itself gets no event instead of it.
      if (event.standsForMove === true) continue;
      const found = subscribed.filter(({ args }) => args[0] === event.account && args[2] === event.type);
      // An endpoint of one of the two folders gets another event in place of the move.
      const endpoints = found
        .flatMap(({ answer }) => answer as ReadonlyArray<Endpoint>)
        .filter(({ folders }) => event.folders?.every((id) => isOf(folders, id)) !== false);
      const isMissing = found.length === 0 || endpoints.some(({ id }) => !queued.has(`${event.id} ${id}`));
      if (isMissing) violate(call, `appends ${event.type} of ${event.account} without queueing its deliveries`);
    }
  },
  "FolderRecords.replace": (call, commit, { folders }, violate) => {
    if (call.answer === false) return;
    const account = call.args[0] as string;
    const [before, after] = [folders.get(account) ?? [], call.args[1] as ReadonlyArray<FolderRecord>];
    folders.set(account, after);
    // The first listing announces nothing.
    if (before.length === 0) return;
    const paths = new Map(before.map(({ id, path }) => [id, path]));
    const kept = after.filter(({ id, path }) => paths.get(id) === path).length;
    const isChanged = kept !== after.length || kept !== before.length;
    const told = eventsIn(commit).filter((event) => event.account === account && FOLDER_EVENTS.has(event.type));
    if (isChanged && told.length === 0) violate(call, `changes folders of ${account} without appending their events`);
  },
  "OutgoingJournal.save": (call, commit, { outcomes }, violate) => {
    if (call.answer !== true) return;
    const { id, account, kind, recipients } = call.args[0] as OutgoingMessage;
    const before = outcomes.get(id) ?? new Set();
    const after = new Set(
      recipients.flatMap(({ address, state }) => (ENDED.has(state) ? [`${state} ${address}`] : [])),
    );
    outcomes.set(id, after);
    if (kind === "notice" || before.size > 0 || after.size === 0) return;
    if (!eventsIn(commit).some((event) => event.account === account))
      violate(call, `ends ${[...after].join(", ")} of ${id} without appending an event`);
  },
};
