import type { MailboxCursor } from "../src/mail/index.ts";
import { type MailboxObservation, type MailboxSync, syncMailbox } from "../src/watch/neighbours.ts";
import { matchFingerprints, type SeenMessage } from "../src/watch/index.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const message = (uid: number, over: Partial<SeenMessage> = {}): SeenMessage => ({
  uid,
  emailId: null,
  messageId: `<m${uid}@postern.test>`,
  size: 100 + uid,
  arrivedAt: 1_000 * uid,
  unread: true,
  flagged: false,
  answered: false,
  labels: [],
  ...over,
});

const cursor = (uidNext: number, uidValidity = 1): MailboxCursor => ({ uidValidity, uidNext, highestModSeq: null });

const knowing = (uidNext: number, ...seen: ReadonlyArray<SeenMessage>) => ({
  cursor: cursor(uidNext),
  seenFrom: 1,
  seen: new Map(seen.map((one) => [one.uid, one])),
});

const observed = (over: Partial<MailboxObservation>): MailboxObservation => ({
  cursor: cursor(1),
  arrived: [],
  vanished: [],
  flags: [],
  ...over,
});

const announced = ({ changes }: MailboxSync) => changes.map(({ _tag, message: { uid } }) => `${_tag} ${uid}`);

describe("following a mailbox", () => {
  it("neither announces nor records a message that arrived and left between two polls", () => {
    const seen = observed({ cursor: cursor(4), arrived: [message(2), message(3)], vanished: [1, 3] });
    const sync = syncMailbox(knowing(2, message(1)), seen);
    expect(announced(sync)).toEqual(["Deleted 1", "Received 2"]);
    expect(sync.remember.map(({ uid }) => uid)).toEqual([2]);
  });

  it("announces the flags that changed together with the UIDVALIDITY, and pairs equal messages by their flags", () => {
    const twin = { messageId: "<twin@x>", size: 7, arrivedAt: 1 };
    const seen = [message(1, { ...twin, flagged: true }), message(2, twin), message(3)];
    const whole = [
      message(11, twin),
      message(12, { ...twin, flagged: true }),
      { ...message(3), uid: 13, unread: false },
    ];
    const sync = syncMailbox(knowing(4, ...seen), observed({ cursor: cursor(14, 2), whole }));
    expect(announced(sync)).toEqual(["FlagsChanged 13"]);
  });

  it("announces no message from before the first sync [S7.4-3]", () => {
    const sync = syncMailbox(null, observed({ cursor: cursor(3) }));
    expect(sync).toMatchObject({ cursor: cursor(3), seenFrom: 3, changes: [], reset: true, remember: [] });
  });

  it("announces arrivals and changes of recorded messages while others are not recorded yet [S7.4-6]", () => {
    const known = { ...knowing(9, message(7), message(8)), seenFrom: 7 };
    const sync = syncMailbox(known, observed({ cursor: cursor(10), arrived: [message(9)], vanished: [3, 8] }));
    expect(announced(sync)).toEqual(["Deleted 8", "Received 9"]);
    expect(sync).toMatchObject({ seenFrom: 7, reset: false });
  });

  it("announces arrivals by UID in whatever order the server lists them, and none from below UIDNEXT or seen", () => {
    const known = knowing(9, message(7), message(12));
    const arrived = [message(14), message(11), message(8), message(12), message(13), message(9)];
    const sync = syncMailbox(known, observed({ cursor: cursor(9), arrived }));
    expect(announced(sync)).toEqual(["Received 9", "Received 11", "Received 13", "Received 14"]);
    expect(sync.cursor.uidNext).toBe(15);
    expect(syncMailbox(known, observed({ cursor: cursor(5) })).cursor.uidNext).toBe(9);
    expect(syncMailbox(known, observed({ cursor: cursor(20) })).cursor.uidNext).toBe(20);
  });

  it("announces the messages of a new UIDVALIDITY by UID, too", () => {
    const whole = [message(4), message(2), message(3)];
    const sync = syncMailbox(knowing(9), observed({ cursor: cursor(5, 2), whole, arrived: whole }));
    expect(announced(sync)).toEqual(["Received 2", "Received 3", "Received 4"]);
  });

  it("announces a deletion once that the server reports twice", () => {
    const known = knowing(9, message(7), message(8));
    expect(announced(syncMailbox(known, observed({ cursor: cursor(9), vanished: [8, 7, 8] })))).toEqual([
      "Deleted 8",
      "Deleted 7",
    ]);
  });

  it("starts over if UIDVALIDITY changes before all messages are recorded", () => {
    const known = { ...knowing(9, message(8)), seenFrom: 8 };
    expect(syncMailbox(known, observed({ cursor: cursor(4, 2) }))).toMatchObject({
      seenFrom: 4,
      changes: [],
      reset: true,
    });
  });

  it("names the flags and labels that changed, labels without case [S5.5-6]", () => {
    const changedBy = (before: Partial<SeenMessage>, after: Partial<SeenMessage>) => {
      const [seen, now] = [message(1, before), message(1, after)];
      const { changes, remember } = syncMailbox(knowing(4, seen), observed({ cursor: cursor(4), flags: [now] }));
      return [
        changes.map((one) => (one._tag === "FlagsChanged" ? one.changed : one)),
        remember.map(({ labels }) => labels),
      ];
    };
    expect(changedBy({ labels: ["Old", "Work"] }, { flagged: true, labels: ["New", "work"] })).toEqual([
      [["flagged", "label:New", "label:Old"]],
      [["New", "work"]],
    ]);
    expect(changedBy({ labels: ["Work"] }, { labels: ["Work"] })).toEqual([[], []]);
    // A message that a version without labels recorded: its labels are learnt, and not announced.
    expect(changedBy({ labels: null }, { labels: ["Work"] })).toEqual([[], [["Work"]]]);
    expect(changedBy({ labels: null }, { unread: false, labels: ["Work"] })).toEqual([[["unread"]], [["Work"]]]);
  });

  it("announces deleted, changed and new messages, and no others", () => {
    const known = knowing(4, message(1), message(2), message(3));
    const flags = { unread: false, flagged: false, answered: false, labels: [] };
    const sync = syncMailbox(
      known,
      observed({
        cursor: cursor(6),
        arrived: [message(3), message(5)],
        vanished: [1, 9],
        flags: [
          { uid: 2, ...flags },
          { uid: 3, ...flags, unread: true },
          { uid: 1, ...flags },
        ],
      }),
    );
    expect(announced(sync)).toEqual(["Deleted 1", "FlagsChanged 2", "Received 5"]);
    expect(sync.forget).toEqual([1]);
    expect(sync.remember.map(({ uid, unread }) => [uid, unread])).toEqual([
      [2, false],
      [5, true],
    ]);
  });

  it("never moves UIDNEXT below an announced message, even if the server's UIDNEXT is older", () => {
    const sync = syncMailbox(knowing(2), observed({ cursor: cursor(2), arrived: [message(7)] }));
    expect(announced(sync)).toEqual(["Received 7"]);
    expect(sync.cursor.uidNext).toBe(8);
  });

  it("announces no message twice after a UIDVALIDITY reset, and messages that arrived meanwhile once [S7.4-7]", () => {
    const old = [message(1), message(2), message(3)];
    const recreated = [message(1, old[1]), message(2, old[2]), message(30)].map((one, n) => ({ ...one, uid: n + 1 }));
    const after = observed({ cursor: cursor(4, 2), whole: recreated, arrived: [recreated[2]!] });
    const sync = syncMailbox(knowing(4, ...old), after);
    expect(announced(sync)).toEqual(["Deleted 1", "Received 3"]);
    expect(sync).toMatchObject({ seenFrom: 1, reset: true, remember: recreated });
    const gone = syncMailbox(knowing(4, ...old), { ...after, arrived: [] });
    expect(announced(gone)).toEqual(["Deleted 1"]);
    expect(gone.remember).toEqual(recreated.slice(0, 2));
  });
});

describe("matching after a reset", () => {
  const copy = (uid: number, over: Partial<SeenMessage> = {}) =>
    message(uid, { messageId: "<same@postern.test>", size: 9, arrivedAt: 5, ...over });

  it("pairs each message once, those of the same date first [S7.4-7]", () => {
    const { unseen, missing } = matchFingerprints(
      [copy(1), copy(2, { arrivedAt: 6 }), copy(3, { arrivedAt: 7 })],
      [copy(10, { arrivedAt: 7 }), copy(11, { arrivedAt: 8 })],
    );
    expect(unseen.map(({ uid }) => uid)).toEqual([2]);
    expect(missing).toEqual([]);
  });

  it("pairs by EMAILID if both have one, otherwise by content [S7.4-7]", () => {
    const { unseen, missing } = matchFingerprints(
      [copy(1, { emailId: "a" }), copy(2, { emailId: "b" }), copy(3, { emailId: "c" })],
      [copy(10, { emailId: "b" }), copy(11, { emailId: "x" }), copy(12)],
    );
    expect(unseen.map(({ uid }) => uid)).toEqual([3]);
    expect(missing.map(({ uid }) => uid)).toEqual([11]);
  });
});

/** A mail server for the model; `identity` is not visible to clients. */
class ModelMailbox {
  uidValidity = 1;
  uidNext = 1;
  present: Array<SeenMessage & { identity: number }> = [];
  arrivals = 0;

  arrive(): void {
    const identity = ++this.arrivals;
    this.present.push({
      ...message(this.uidNext++, { messageId: `<${identity}@postern.test>`, size: 50 }),
      identity,
    });
  }

  reset(): void {
    this.uidValidity++;
    this.present = this.present.map((one, n) => ({ ...one, uid: n + 1 }));
    this.uidNext = this.present.length + 1;
  }

  observe(known: { readonly cursor: MailboxCursor; readonly seen: ReadonlyMap<number, SeenMessage> } | null) {
    const same = known?.cursor.uidValidity === this.uidValidity;
    return {
      cursor: { uidValidity: this.uidValidity, uidNext: this.uidNext, highestModSeq: null },
      arrived: same ? this.present.filter(({ uid }) => uid >= known.cursor.uidNext) : this.present,
      ...(same ? {} : { whole: this.present }),
      vanished: same ? [...known.seen.keys()].filter((uid) => !this.present.some((one) => one.uid === uid)) : [],
      flags: same ? this.present.filter(({ uid }) => known.seen.has(uid)) : [],
    };
  }
}

const STEPS = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.constant({ kind: "arrive" } as const) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("expunge" as const), at: fc.nat(20) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("read" as const), at: fc.nat(20) }) },
    { weight: 1, arbitrary: fc.constant({ kind: "reset" } as const) },
    { weight: 3, arbitrary: fc.constant({ kind: "sync" } as const) },
    { weight: 1, arbitrary: fc.constant({ kind: "lost sync" } as const) },
  ),
  { maxLength: 60 },
);

describe("a mailbox that is followed on and off", () => {
  it("announces each message once if it is present at a sync, and each deletion once [S7.3-1]", () => {
    fc.assert(
      fc.property(fc.nat(5), STEPS, (before, steps) => {
        const mailbox = new ModelMailbox();
        for (let n = 0; n < before; n++) mailbox.arrive();
        let known: { cursor: MailboxCursor; seenFrom: number; seen: Map<number, SeenMessage> } | null = null;
        const received: Array<number> = [];
        const deleted: Array<number> = [];
        const everPresent = new Set<number>();

        const sync = (kept: boolean): void => {
          const next = syncMailbox(known, mailbox.observe(known));
          // A crash before the commit loses both the events and the cursor.
          if (!kept) return;
          const identityOf = (one: SeenMessage) => (one as SeenMessage & { identity: number }).identity;
          for (const { _tag, message: one } of next.changes) {
            if (_tag === "Received") received.push(identityOf(one));
            if (_tag === "Deleted") deleted.push(identityOf(one));
          }
          const seen: Map<number, SeenMessage> = next.reset ? new Map() : new Map(known?.seen);
          for (const uid of next.forget) seen.delete(uid);
          for (const one of next.remember) seen.set(one.uid, one);
          known = { cursor: next.cursor, seenFrom: next.seenFrom, seen };
          for (const { identity } of mailbox.present) everPresent.add(identity);
        };

        known = {
          cursor: cursor(mailbox.uidNext),
          seenFrom: 1,
          seen: new Map(mailbox.present.map((one) => [one.uid, one])),
        };
        for (const { identity } of mailbox.present) everPresent.add(identity);
        for (const step of [...steps, { kind: "sync" } as const]) {
          if (step.kind === "arrive") mailbox.arrive();
          if (step.kind === "expunge") mailbox.present.splice(step.at % Math.max(1, mailbox.present.length), 1);
          if (step.kind === "read") {
            const at = step.at % Math.max(1, mailbox.present.length);
            mailbox.present = mailbox.present.map((one, n) => (n === at ? { ...one, unread: false } : one));
          }
          if (step.kind === "reset") mailbox.reset();
          if (step.kind === "sync") sync(true);
          if (step.kind === "lost sync") sync(false);
        }

        const expected = [...everPresent].filter((identity) => identity > before);
        expect(received.toSorted((a, b) => a - b)).toEqual(expected.toSorted((a, b) => a - b));
        const left = new Set(mailbox.present.map(({ identity }) => identity));
        const gone = [...everPresent].filter((identity) => !left.has(identity));
        expect(deleted.toSorted((a, b) => a - b)).toEqual(gone.toSorted((a, b) => a - b));
        expect([...known!.seen.values()]).toEqual(mailbox.present);
      }),
      { numRuns: 500 },
    );
  });
});
