import { Clock, Effect, Metric } from "effect";
import { eventAccount } from "../events/neighbours.ts";
import { eventId, EventPublisher } from "../events/index.ts";
import { type AccountId, Entropy, type MessageRef, OpaqueIds } from "../shared/index.ts";
import { IdScopes, type MailboxKey } from "../shared/neighbours.ts";
import { MovedMessages } from "../watch/index.ts";
import {
  byMailbox,
  type FolderSync,
  type LeftLocation,
  locationKey,
  readLocations,
  type SettledFolder,
  type SettledRound,
} from "../watch/neighbours.ts";
import { arrivalEvent, type PlacedChange } from "./arrival-events.ts";
import { type FollowedFolder, INBOX } from "./FollowedFolder.ts";
import { standInEvents } from "./stand-in-events.ts";

/** Counts the events about changes in mailboxes. */
export const announcedEvents = Metric.counter("arrival_events_total", {
  description: "Events published about changes in mailboxes",
  incremental: true,
});

/** A change with the location of its message; for a deleted message, the last location. */
interface LocatedChange extends PlacedChange {
  readonly ref: MessageRef;
}

/** Returns the changes of folders in the order of their events: arrivals come last, those of several folders oldest first. */
export const placeChanges = (
  settled: ReadonlyArray<SettledFolder>,
  folders: ReadonlyArray<FollowedFolder>,
): ReadonlyArray<LocatedChange> => {
  const byKey = new Map(folders.map((folder) => [folder.key, folder]));
  const placed = settled.flatMap(({ folderId, before, sync, changes }) =>
    changes.map((change): LocatedChange => {
      const { uidValidity } = change._tag === "Deleted" ? before : sync.cursor;
      // The path of a removed folder is no longer known.
      const left = change._tag === "Moved" ? change.fromFolderId : undefined;
      const from = left === undefined ? undefined : (byKey.get(left) ?? { id: left as string, key: left, path: "" });
      return { change, folder: byKey.get(folderId)!, from, ref: { folderId, uidValidity, uid: change.message.uid } };
    }),
  );
  const isArrival = ({ change }: LocatedChange) => change._tag === "Received";
  const arrivals = placed.filter(isArrival);
  const isOfSeveral = new Set(arrivals.map(({ folder }) => folder.id)).size > 1;
  const byAge = (one: LocatedChange, other: LocatedChange) =>
    one.change.message.arrivedAt - other.change.message.arrivedAt;
  return [...placed.filter((one) => !isArrival(one)), ...(isOfSeveral ? arrivals.toSorted(byAge) : arrivals)];
};

/** The services that record moves and publish events. */
export const announcementServices = Effect.all({
  publisher: EventPublisher,
  ids: OpaqueIds,
  scopes: IdScopes,
  moved: MovedMessages,
  entropy: Entropy,
});
type AnnouncementServices = Effect.Success<typeof announcementServices>;

const newId = ({ entropy }: AnnouncementServices, now: number) =>
  Effect.map(entropy.id(128), (random) => eventId(now, random));

/** Returns the folder that each arrived message left if Postern moved it, by the key of its present location. */
export const findOwnMoves = Effect.fnUntraced(function* (
  { moved }: AnnouncementServices,
  account: AccountId,
  synced: ReadonlyArray<FolderSync>,
) {
  const came = synced.flatMap(({ folderId, sync: { cursor, changes } }) =>
    changes.flatMap(({ _tag, message: { uid } }) =>
      _tag === "Received" ? [{ folderId, uidValidity: cursor.uidValidity, uid }] : [],
    ),
  );
  if (came.length === 0) return new Map<string, MailboxKey>();
  const { left } = yield* moved.find(account, byMailbox(came));
  return new Map(
    left.flatMap(({ from, now }) =>
      from.folderId === now.folderId ? [] : [[locationKey(now), from.folderId] as const],
    ),
  );
});

/** Records moves in the caller's transaction. Returns the present locations of the messages that Postern itself moved. */
export const recordMoves = Effect.fnUntraced(function* (
  { moved }: AnnouncementServices,
  account: AccountId,
  moves: SettledRound["moves"],
) {
  if (moves.length === 0) return new Set<string>();
  const before = yield* moved.find(account, byMailbox(moves.map(({ from }) => from)));
  const begun = before.isMoving ? yield* moved.listBegun(account) : [];
  // A new UIDVALIDITY may have renumbered a message that then left before the cursor of its mailbox was saved.
  const isRenumbered = ({ from, now }: LeftLocation) => from.folderId === now.folderId;
  const renumbered = new Map(before.left.filter(isRenumbered).map(({ from, now }) => [locationKey(from), now]));
  const ofPostern = before.left.filter((one) => !isRenumbered(one));
  const own = new Set([...ofPostern, ...begun].map(({ from }: Pick<LeftLocation, "from">) => locationKey(from)));
  const settled = moves.map(({ from, now }) => ({ from: renumbered.get(locationKey(from)) ?? from, now }));
  yield* moved.settle(account, settled, yield* Clock.currentTimeMillis);
  return new Set(moves.flatMap(({ from, now }) => (own.has(locationKey(from)) ? [locationKey(now)] : [])));
});

/** Publishes an event for each change, in the caller's transaction. `own` holds the present locations of messages that Postern moved. */
export const announce = Effect.fnUntraced(function* (
  on: AnnouncementServices,
  account: AccountId,
  changes: ReadonlyArray<LocatedChange>,
  own: ReadonlySet<string>,
) {
  if (changes.length === 0) return;
  const { ids, scopes, moved, publisher } = on;
  const scope = yield* scopes.of(account);
  const now = yield* Clock.currentTimeMillis;
  const of = eventAccount(ids, account);
  const { left } = yield* moved.find(account, byMailbox(changes.map(({ ref }) => ref)));
  const locate = readLocations(left);
  const events = yield* Effect.forEach(changes, (placed) =>
    Effect.gen(function* () {
      const { folderId, uidValidity, uid } = locate(placed.ref).id;
      const id = ids.messageIds(scope, folderId, uidValidity, [uid])[0]!;
      const event = arrivalEvent(yield* newId(on, now), of, placed, id, now);
      if (placed.change._tag !== "Moved") return [event];
      const standIns = standInEvents([yield* newId(on, now), yield* newId(on, now)], of, placed, id, now);
      // Postern's own moves into INBOX are not announced as arrivals.
      const isSilent = placed.folder.id === INBOX.id && own.has(locationKey(placed.ref));
      return [event, ...standIns.filter(({ type }) => !(isSilent && type === "email.received"))];
    }),
  );
  yield* publisher.publish(events.flat());
  yield* Metric.update(announcedEvents, changes.length);
});
