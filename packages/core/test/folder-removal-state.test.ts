import { AccountId } from "../src/shared/index.ts";
import type { ListedMailbox } from "../src/mail/index.ts";
import type { FolderRemoval } from "../src/folders/index.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  afterVisit,
  completeBatch,
  finish,
  FIRST_ROUND,
  freePath,
  hiddenPath,
  isHidden,
  nextRound,
  nextStep,
  recount,
  startBatch,
  startEmptying,
} from "../src/folders/folder-removal-state.ts";

const HIDDEN = hiddenPath("", "XyZ");
const removal: FolderRemoval = {
  id: "r",
  account: AccountId("a@b.c"),
  folderId: "f",
  path: "Old",
  uidValidity: 7,
  hiddenPath: HIDDEN,
  folders: [
    { id: "f", path: "Old", uidValidity: 7 },
    { id: "f_b", path: "Old/B", uidValidity: 7 },
  ],
  delimiter: "/",
  destination: { id: "d", path: "Dest" },
  phase: "hiding",
  moved: 0,
  remaining: 0,
  batch: null,
  begunAt: 0,
  failures: 0,
  dueAt: 0,
  reason: null,
};
const box = (path: string, total: number | null = 0, uidValidity = 7): ListedMailbox => ({
  path,
  prefix: "",
  delimiter: "/",
  role: null,
  status: total === null ? null : { total, unread: 0, uidValidity, uidNext: 1, mailboxId: null },
});

describe("nextStep", () => {
  it("hides the folder, unless it is hidden, gone, or recreated under its name [S4.6-7]", () => {
    const step = (...listed: ReadonlyArray<ListedMailbox>) => nextStep(removal, FIRST_ROUND, listed)._tag;
    expect(step(box("Old"))).toBe("Hide");
    expect(step(box("Old"), box("Old/B"))).toBe("Hide");
    expect(step(box(HIDDEN))).toBe("StartEmptying");
    expect(step(box(HIDDEN), box("Old", 3, 8))).toBe("StartEmptying");
    expect(step(box(HIDDEN), box("Old/B"))).toBe("Hide");
    expect(step(box("Old", 3, 8))).toBe("Finish");
    expect(step(box("Older"))).toBe("Finish");
    // A name that holds no messages, with the folders below it.
    const ofName = (...listed: ReadonlyArray<ListedMailbox>) =>
      nextStep({ ...removal, uidValidity: null }, FIRST_ROUND, listed)._tag;
    expect(ofName(box("Old", null))).toBe("Hide");
    expect(ofName(box("Old", null), box(HIDDEN, null))).toBe("StartEmptying");
    expect(step(box("Old", null))).toBe("Finish");
    expect(step(box("Old", null), box("Old/B"))).toBe("Hide");
    expect(step(box("Old", null), box("Old/B", null))).toBe("Finish");
  });

  it("removes only after two empty rounds, the deepest first [S4.6-7]", () => {
    const emptying: FolderRemoval = { ...removal, phase: "emptying" };
    const listed = [box(HIDDEN), box(`${HIDDEN}/B`), box(`${HIDDEN}/N`, null), box("Dest", 9)];
    expect(nextStep(emptying, FIRST_ROUND, listed)).toEqual({ _tag: "Move", from: HIDDEN });
    let rounds = afterVisit(FIRST_ROUND, HIDDEN, true);
    expect(nextStep(emptying, rounds, listed)).toEqual({ _tag: "Move", from: `${HIDDEN}/B` });
    rounds = afterVisit(afterVisit(rounds, `${HIDDEN}/B`, false), `${HIDDEN}/B`, true);
    expect(nextStep(emptying, rounds, listed)).toEqual({ _tag: "List" });
    rounds = nextRound(rounds);
    expect(rounds.empty).toBe(0);
    rounds = nextRound(nextRound(rounds));
    expect(nextStep(emptying, rounds, listed)).toEqual({ _tag: "Remove", path: `${HIDDEN}/B` });
    expect(nextStep(emptying, rounds, [box("Dest")])).toEqual({ _tag: "Finish" });
    expect(nextStep({ ...emptying, destination: null }, FIRST_ROUND, listed)._tag).toBe("Remove");
  });

  it("renames the hidden mailboxes back once given up, under an unused name", () => {
    const given: FolderRemoval = { ...removal, phase: "restoring" };
    expect(nextStep(given, FIRST_ROUND, [box(HIDDEN), box("Old", 1, 8)])).toEqual({ _tag: "Restore" });
    expect(nextStep(given, FIRST_ROUND, [box("Old"), box(`${HIDDEN}/B`)])).toEqual({ _tag: "Restore" });
    expect(nextStep(given, FIRST_ROUND, [box("Old"), box("Old/B")])).toEqual({ _tag: "Restored" });
    expect(nextStep(given, FIRST_ROUND, [box("Dest")])).toEqual({ _tag: "Finish" });
    expect(freePath("Old", [box("Older")])).toBe("Old");
    expect(freePath("Old", [box("Old"), box("Old (2)")])).toBe("Old (3)");
  });

  it("finishes the current batch before it begins another", () => {
    const batch = { mailbox: `${HIDDEN}/B`, lastUid: 5, count: 2, copiedFrom: 1 };
    const emptying: FolderRemoval = { ...removal, phase: "emptying", batch };
    expect(nextStep(emptying, FIRST_ROUND, [box(HIDDEN, 3)])).toEqual({ _tag: "Move", from: `${HIDDEN}/B` });
  });
});

it("recognises hidden mailboxes at the top of the namespace, with their descendants", () => {
  expect(isHidden(box(HIDDEN))).toBe(true);
  expect(isHidden(box(`${HIDDEN}/B`))).toBe(true);
  expect(isHidden({ path: `INBOX.${HIDDEN}`, prefix: "INBOX." })).toBe(true);
  expect(isHidden(box(`A/${HIDDEN}`))).toBe(false);
});

/** A mail server with the mailboxes of one removal and their message numbers, oldest first. */
class World {
  boxes = new Map<string, Array<number>>();
  sent = 0;
  deliver(path: string): void {
    this.boxes.get(path)?.push(this.sent++);
  }
  get listed(): ReadonlyArray<ListedMailbox> {
    return [...this.boxes].map(([path, messages]) => box(path, messages.length));
  }
}

it("every message reaches the destination, however often the removal is interrupted and mail arrives [S4.6-13]", () => {
  // The event at each step. 0: nothing; 1 to 3: mail arrives; 4: interrupted before the step; 5: interrupted after it.
  const eventLists = fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 60 });
  fc.assert(
    fc.property(eventLists, fc.nat({ max: 7 }), fc.boolean(), (events, messages, below) => {
      const world = new World();
      world.boxes = new Map([["Dest", []], ["Old", []], ...(below ? [["Old/B", []] as [string, number[]]] : [])]);
      for (let n = 0; n < messages; n++) world.deliver(n % 2 === 0 || !below ? "Old" : "Old/B");
      let kept = removal;
      let steps = 0;
      attempts: for (let attempt = 0; ; attempt++) {
        let state = kept;
        const keep = (next: FolderRemoval) => (kept = state = next);
        let rounds = FIRST_ROUND;
        if (state.phase === "emptying") keep(recount(state, world.listed));
        let listed = world.listed;
        for (;;) {
          expect(++steps).toBeLessThan(1_000);
          const event = events.shift() ?? 0;
          if (event === 4) continue attempts;
          const step = nextStep(state, rounds, listed);
          if (event > 0 && event < 4 && step._tag !== "Remove" && step._tag !== "Finish") {
            for (const path of ["Old", HIDDEN]) if (rounds.empty < 1) world.deliver(path);
          }
          if (step._tag === "Finish") {
            keep(finish(state));
            break attempts;
          }
          if (step._tag === "Hide") {
            world.boxes = new Map([...world.boxes].map(([path, box]) => [path.replace(/^Old/, HIDDEN), box]));
            listed = world.listed;
          } else if (step._tag === "StartEmptying") keep(startEmptying(state, world.listed));
          else if (step._tag === "Move") {
            const source = world.boxes.get(step.from)!;
            const batch = { mailbox: step.from, lastUid: 0, count: 2, copiedFrom: 1 };
            if (source.length > 0) keep(startBatch(state, batch));
            const some = source.splice(0, 2);
            world.boxes.get("Dest")!.push(...some);
            if (event === 5) continue attempts;
            if (state.batch !== null) keep(completeBatch(state, some.length));
            rounds = afterVisit(rounds, step.from, some.length === 0);
          } else if (step._tag === "List") {
            rounds = nextRound(rounds);
            listed = world.listed;
          } else if (step._tag === "Remove") {
            expect(world.boxes.get(step.path)).toEqual([]);
            world.boxes.delete(step.path);
            listed = world.listed;
          }
          if (event === 5) continue attempts;
        }
      }
      expect([...world.boxes.keys()]).toEqual(["Dest"]);
      expect(world.boxes.get("Dest")!.toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: world.sent }, (_, n) => n),
      );
    }),
    { numRuns: 500 },
  );
});
