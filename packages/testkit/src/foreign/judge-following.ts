import type { ForeignMail } from "./ForeignMail.ts";
import type { ShownMessage } from "./ShownMessage.ts";

/** The answers and events of the service about a mailbox that other clients changed, after the service came to rest. */
export interface Followed {
  readonly mail: ForeignMail;
  /** The ids of the folders by their paths. */
  readonly folderIds: ReadonlyMap<string, string>;
  readonly events: ReadonlyArray<{ readonly event: string; readonly data: Readonly<Record<string, unknown>> }>;
  /** The listing, and each copy that a program keeps, by name. */
  readonly views: Readonly<Record<string, ReadonlyArray<ShownMessage>>>;
  /** The subject of each id that the service ever returned. */
  readonly handed: ReadonlyMap<string, string>;
  /** The message that each of these ids opens; null if it is not found. */
  readonly opened: ReadonlyMap<string, ShownMessage | null>;
}

/**
 * The numbers of moves that the service reported by `email.moved`, and of those that it reported by a departure and an
 * arrival.
 */
export interface MoveCounts {
  moved: number;
  ended: number;
}

/** The faults found, and the numbers of moves for messages without copies and for others. */
export interface Judgement {
  readonly violations: ReadonlyArray<string>;
  readonly single: MoveCounts;
  readonly copied: MoveCounts;
}

/** Compares the answers and events about a mailbox with its expected state (spec 5.2, 7.11, 7.12). */
export const judgeFollowing = ({ mail, folderIds, events, views, handed, opened }: Followed): Judgement => {
  const violations: Array<string> = [];
  const truth = mail.all.map(({ folder, message }) => {
    const has = (flag: string) => message.flags.has(flag);
    const flags = [!has("\\Seen"), has("\\Flagged"), has("\\Answered"), has("Project")];
    return [message.subject, folderIds.get(folder.path), ...flags].join(" ");
  });
  for (const [name, view] of Object.entries(views)) {
    const shown = view.map(({ subject, folderId, unread, flagged, answered, labels }) =>
      [subject, folderId, unread, flagged, answered, labels.some((one) => one.toLowerCase() === "project")].join(" "),
    );
    const [missing, more] = [difference(truth, shown), difference(shown, truth)];
    if (missing.length + more.length > 0) {
      violations.push(`${name} is not the mailbox: lacks [${missing.join()}], has [${more.join()}]`);
    }
    if (new Set(view.map(({ id }) => id)).size < view.length) violations.push(`${name} has an id twice`);
  }

  const counted = count(events, handed);
  const live = new Map<string, number>();
  for (const { message } of mail.all) live.set(message.subject, (live.get(message.subject) ?? 0) + 1);
  const gone = new Set(events.flatMap(({ event, data }) => (isDeparture(event, data) ? [data["id"]] : [])));
  const listed = new Set(views["the listing"]?.map(({ id }) => id));
  for (const [id, subject] of handed) {
    const found = opened.get(id) ?? null;
    if (found !== null && found.subject !== subject) violations.push(`${id} of ${subject} opens ${found.subject}`);
    if (found !== null && !listed.has(id)) violations.push(`${id} of ${subject} opens, and no listing shows it`);
    if (found === null && !gone.has(id)) violations.push(`${id} of ${subject} is not found, and no event says so`);
    if (found !== null && gone.has(id)) violations.push(`${id} of ${subject} opens after it was told as deleted`);
  }
  for (const subject of new Set([...handed.values(), ...live.keys()])) {
    const { arrivals, departures } = counted.get(subject) ?? NOTHING;
    const before = mail.before.has(subject) ? 1 : 0;
    const there = live.get(subject) ?? 0;
    if (before + arrivals - departures !== there) {
      violations.push(
        `${subject}: ${before} before, ${arrivals} received, ${departures} deleted, and ${there} are there`,
      );
    }
    const stayed = there === 1 && !mail.moved.has(subject) && !mail.copied.has(subject);
    if (stayed && arrivals !== 1 - before) violations.push(`${subject} stayed and was received ${arrivals} times`);
  }
  const movesOf = (isCopied: boolean): MoveCounts => {
    const counts = { moved: 0, ended: 0 };
    for (const [subject, { moves, arrivals, returned }] of counted) {
      if (mail.copied.has(subject) !== isCopied || !mail.moved.has(subject)) continue;
      counts.moved += moves;
      counts.ended += isCopied ? returned : Math.max(0, arrivals - (mail.before.has(subject) ? 0 : 1));
    }
    return counts;
  };
  return { violations, single: movesOf(false), copied: movesOf(true) };
};

const NOTHING = { arrivals: 0, departures: 0, moves: 0, returned: 0 };

const isDeparture = (event: string, data: Readonly<Record<string, unknown>>): boolean =>
  event === "email.deleted" || (event === "draft.changed" && data["removed"] === true);

/** Counts the events of each subject. */
const count = (events: Followed["events"], handed: Followed["handed"]) => {
  const counted = new Map<string, { -readonly [Key in keyof typeof NOTHING]: number }>();
  for (const { event, data } of events) {
    const subject = handed.get(data["id"] as string);
    if (subject === undefined) continue;
    const of = counted.get(subject) ?? { ...NOTHING };
    counted.set(subject, of);
    if (event === "email.received" || event === "email.sent") of.arrivals++;
    if (event === "email.received" && data["returned"] === true) of.returned++;
    if (isDeparture(event, data)) of.departures++;
    if (event === "email.moved") of.moves++;
  }
  return counted;
};

/** Returns the items that `some` contains more often than `others`. */
const difference = (some: ReadonlyArray<string>, others: ReadonlyArray<string>): ReadonlyArray<string> => {
  const left = new Map<string, number>();
  for (const one of others) left.set(one, (left.get(one) ?? 0) + 1);
  return some.filter((one) => {
    const more = left.get(one) ?? 0;
    left.set(one, more - 1);
    return more <= 0;
  });
};
