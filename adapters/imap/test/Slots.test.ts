import { assert, it } from "@effect/vitest";
import { Effect, Fiber } from "effect";
import type { ImapFlow } from "imapflow";
import { type Slot, Slots } from "../src/session/Slots.ts";

/** The members that slots use of a connection. */
const connection = (mailbox?: string) => {
  const client = {
    usable: true,
    mailbox: mailbox === undefined ? false : { path: mailbox },
    close: () => {
      client.usable = false;
    },
  };
  return client as unknown as ImapFlow;
};

const makeSlots = (...mailboxes: ReadonlyArray<string | undefined>) => {
  const slots = new Slots(mailboxes.length, () => 0);
  const taken = mailboxes.map((mailbox) => {
    const slot = slots.take("interactive", "INBOX")!;
    if (mailbox !== undefined) slot.client = connection(mailbox);
    return slot;
  });
  for (const slot of taken) slots.release(slot);
  return { slots, taken };
};

it("prefers the connection with the mailbox open, then others, then INBOX's, then a new one", () => {
  const { slots, taken } = makeSlots("INBOX", undefined, "Sent");
  const [inbox, none, sent] = taken;
  const choose = (mailbox: string) => {
    const slot = slots.take("interactive", mailbox)!;
    slots.release(slot);
    return slot;
  };
  assert.strictEqual(choose("INBOX"), inbox);
  assert.strictEqual(choose("Sent"), sent);
  assert.strictEqual(choose("Other"), sent);
  slots.take("interactive", "Sent");
  assert.strictEqual(slots.take("interactive", "Other"), inbox);
  assert.strictEqual(slots.take("interactive", "Other"), none);
  assert.isUndefined(slots.take("interactive", "Other"));
});

it.each([
  [1, 1],
  [2, 1],
  [3, 1],
  [4, 2],
  [8, 6],
])("of %d slots, bulk work takes %d", (count, bulk) => {
  const slots = new Slots(count, () => 0);
  for (let n = 0; n < bulk; n++) assert.isDefined(slots.take("bulk", "INBOX"));
  assert.isUndefined(slots.take("bulk", "INBOX"));
  for (let n = bulk; n < count; n++) assert.isDefined(slots.take("interactive", "INBOX"));
  assert.isUndefined(slots.take("interactive", "INBOX"));
});

it.effect("serves waiting callers in order, interactive before bulk, and drops interrupted ones", () =>
  Effect.gen(function* () {
    const slots = new Slots(1, () => 0);
    const first = slots.take("interactive", "INBOX")!;
    const served: Array<string> = [];
    const waiting = (name: string, lane: "interactive" | "bulk") =>
      Effect.forkChild(
        Effect.map(slots.wait(lane, "INBOX"), (slot): Slot => {
          served.push(name);
          return slot;
        }),
        { startImmediately: true },
      );
    const bulk = yield* waiting("bulk", "bulk");
    const one = yield* waiting("one", "interactive");
    const gone = yield* waiting("gone", "interactive");
    const two = yield* waiting("two", "interactive");
    yield* Fiber.interrupt(gone);
    slots.release(first);
    slots.release(yield* Fiber.join(one));
    slots.release(yield* Fiber.join(two));
    slots.release(yield* Fiber.join(bulk));
    assert.deepStrictEqual(served, ["one", "two", "bulk"]);
    assert.isTrue(slots.isQuiet());
  }),
);

it("does not use a refused slot while another connection is open", () => {
  const { slots, taken } = makeSlots("INBOX", undefined);
  taken[1]!.refusedUntil = 1;
  const inbox = slots.take("interactive", "INBOX")!;
  assert.isUndefined(slots.take("interactive", "INBOX"));
  slots.release(inbox);
  slots.closeFree(() => true);
  assert.isDefined(slots.take("interactive", "INBOX"));
  assert.isDefined(slots.take("interactive", "INBOX"), "with none connected, the slot is tried again");
});
