import { Blocks } from "@postern/core/arrivals";
import { Inbox, MessageActions } from "@postern/core/messages";
import { Context, Effect } from "effect";
import { byText } from "../../../../by-text.ts";
import type { Cluster } from "../../../../Cluster.ts";
import { dataOf, eventsOf } from "../../../../events-of.ts";
import type { Invariant } from "../../../../Invariant.ts";
import type { Visit } from "../../../../Visit.ts";
import { ownerOf } from "../../../webhooks/owner-of.ts";
import { MINUTE, SECOND } from "../../durations.ts";
import { type Act, walk } from "../walk.ts";
import { blockFaults } from "./block-faults.ts";

const STEPS = 8;
const PEOPLE = ["anna@far.test", "bert@far.test", "carla@far.test"] as const;
const WRONG = ["nobody", "Anna <anna@far.test>", "", "a@b@c", "two words@far.test"] as const;
/** The time until an arrival is moved and told, and until other nodes do so after a node ended. */
const SOON = 4 * SECOND;
const TAKEN_OVER = 25 * SECOND;

interface Block {
  readonly id: string;
  readonly address: string;
  readonly createdAt: number;
}

/**
 * Exactly the messages that arrive in INBOX from senders who are blocked by then are moved to Junk and not told, also if no node
 * runs at that time, or the connection ends during the move; a message whose move is refused is told, Junk is created if it is missing, and one that is moved into INBOX on request stays. A sender is
 * blocked once, whatever the case. [S5.9-1] [S5.9-2] [S5.9-3] [S5.9-4]
 */
export const blockWalk: Invariant = {
  name: "block-walk",
  watch: () => ({
    // In every other seed, because a seed must stay cheap.
    apart: (visit, cluster) => (visit.pickInTurn([false, true]) ? block(visit, cluster) : Effect.void),
  }),
};

const block = (visit: Visit, cluster: Cluster) =>
  Effect.gen(function* () {
    const { random } = cluster;
    const account = yield* visit.signUp("blocker");
    const mail = cluster.mail.account(account);
    mail.keepsSpecial = false;
    const blocks: Array<Block> = [];
    const removed: Array<string> = [];
    const [promised, inbox, junk]: [Array<string>, Array<string>, Array<string>] = [[], [], []];
    let count = 0;
    const ask = <A, E>(use: (blocks: Blocks["Service"]) => Effect.Effect<A, E>) =>
      visit.ask("blocks", (services) => use(Context.get(services, Blocks)));
    const tagOf = <E extends { readonly _tag: string }>(
      use: (blocks: Blocks["Service"]) => Effect.Effect<unknown, E>,
    ) => visit.tagOf("blocks", (services) => use(Context.get(services, Blocks)));
    const isBlocked = (person: string) => blocks.some(({ address }) => address.toLowerCase() === person);
    const spelled = (person: string) => random.pick([person, person, person.toUpperCase()])!;
    /** A message arrives; `isRefused`: the server refuses to move it. */
    const come = (isRefused = false) => {
      const [person, id] = [random.pick(PEOPLE), `<block-${++count}@far.test>`];
      const from = random.pick([spelled(person), `A Friend <${spelled(person)}>`])!;
      const text = `Message-ID: ${id}\r\nFrom: ${from}\r\nTo: ${account}\r\nSubject: ${count}\r\n\r\nhello\r\n`;
      mail.mailbox("INBOX").append(new TextEncoder().encode(text), visit.now);
      if (isBlocked(person) && !isRefused) return void junk.push(id);
      inbox.push(id);
      promised.push(id);
    };
    const add = (address: string) =>
      Effect.gen(function* () {
        const known = blocks.find((one) => one.address.toLowerCase() === address.toLowerCase());
        const both = yield* Effect.all(
          Array.from({ length: random.pick([1, 1, 2]) }, () => ask((all) => all.add(account, address))),
          { concurrency: 2 },
        );
        for (const { id, address: of, createdAt } of both) {
          const expected = known ?? { ...both[0]!, address };
          visit.same(
            [id, of, createdAt],
            [expected.id, expected.address, expected.createdAt],
            `the block of ${address}`,
          );
          visit.expect(!removed.includes(id), "a block has the id of a removed one");
        }
        if (known === undefined) blocks.push({ ...both[0]!, address });
      });
    const list = Effect.gen(function* () {
      const limit = random.between(1, 4);
      const found: Array<unknown> = [];
      for (let cursor: string | null = null, parts = 0; parts < 9; parts++) {
        const page: { readonly items: ReadonlyArray<Block>; readonly nextCursor: string | null } = yield* ask((all) =>
          all.page(account, { limit, ...(cursor !== null && { cursor }) }),
        );
        found.push(...page.items.map(({ id, address, createdAt }) => [id, address, createdAt]));
        if ((cursor = page.nextCursor) === null) break;
      }
      visit.same(
        found,
        blocks.map(({ id, address, createdAt }) => [id, address, createdAt]),
        "the blocks of an account",
      );
    });
    const acts: ReadonlyArray<Act> = [
      { name: "block a sender", weight: 3, run: Effect.suspend(() => add(spelled(random.pick(PEOPLE)))) },
      {
        name: "block what is no sender",
        run: Effect.gen(function* () {
          const address = random.pick(WRONG);
          visit.same(yield* tagOf((all) => all.add(account, address)), "InputInvalid", `a block of ${address}`);
        }),
      },
      {
        name: "remove a block",
        weight: 2,
        isPossible: () => blocks.length > 1,
        run: Effect.gen(function* () {
          const one = random.pick(blocks.slice(1))!;
          yield* ask((all) => all.remove(account, one.id));
          blocks.splice(blocks.indexOf(one), 1);
          removed.push(one.id);
          const again = tagOf((all) => all.remove(account, random.pick([...removed, "blk_unknown"])!));
          visit.same(yield* again, "BlockNotFound", "a second removal of a block");
        }),
      },
      { name: "list the blocks", run: list },
      { name: "messages arrive", weight: 4, run: Effect.sync(() => [...PEOPLE].forEach(() => come())) },
      {
        name: "another program deletes Junk",
        isPossible: () => mail.find("Junk") !== undefined,
        run: Effect.sync(() => {
          mail.delete("Junk");
          junk.length = 0;
          for (const _ of PEOPLE) come();
        }),
      },
      {
        name: "the server refuses to move a message",
        isPossible: () => mail.find("Junk") !== undefined,
        run: Effect.gen(function* () {
          mail.mailbox("Junk").isReadOnly = true;
          come(true);
          yield* visit.wait(SOON);
          mail.mailbox("Junk").isReadOnly = false;
        }),
      },
      ...blockFaults(visit, cluster, account, {
        come,
        junk,
        blockOne: Effect.suspend(() => (PEOPLE.some(isBlocked) ? Effect.void : add(spelled(random.pick(PEOPLE))))),
      }),
      {
        name: "messages arrive while nodes are down",
        weight: 2,
        run: Effect.gen(function* () {
          const places = random.chance(0.5) ? [0, 1] : [random.between(0, cluster.size)];
          for (const place of places) cluster.crash(place);
          for (let left = random.between(1, 6); left > 0; left--) {
            come();
            yield* visit.wait(random.pick([0, SECOND]));
          }
          yield* visit.wait(random.pick([SECOND, MINUTE]));
          for (const place of places) cluster.boot(place);
          yield* visit.wait(TAKEN_OVER);
        }),
      },
      {
        name: "Postern moves a message into INBOX",
        weight: 2,
        isPossible: () => junk.length > 0,
        run: Effect.gen(function* () {
          const { page } = yield* visit.ask("list Junk", (services) =>
            Context.get(services, Inbox).list(account, { folder: "junk", limit: 50 }),
          );
          const { id, message } = random.pick(page.emails)!;
          yield* visit.ask("move", (services) =>
            Context.get(services, MessageActions).change(account, id, {}, "inbox"),
          );
          inbox.push(...junk.splice(junk.indexOf(message.messageId!), 1));
        }),
      },
    ];
    const stored = (path: string) =>
      (mail.find(path)?.mailbox?.messages ?? []).map(({ summary }) => summary.messageId ?? "");
    const compare = Effect.gen(function* () {
      yield* visit.wait(SOON);
      visit.same(stored("INBOX").toSorted(byText), inbox.toSorted(byText), "the messages in INBOX beside blocks");
      visit.same(stored("Junk").toSorted(byText), junk.toSorted(byText), "the messages of blocked senders in Junk");
      const told = eventsOf(cluster, account, "email.received").map((event) => dataOf(event, "messageId"));
      visit.same(told, promised, "the arrivals that are told beside blocks");
    });
    // The account is watched because of an endpoint, or only because of a block that stays.
    if (random.chance(0.5)) yield* ownerOf(visit, cluster, account).create("https://visit.sim.test/blocker");
    yield* add("always@far.test");
    // Blocks of one instant have no order.
    yield* visit.wait(SECOND);
    yield* walk(
      visit,
      cluster,
      acts.map((act) => ({ ...act, run: Effect.andThen(act.run, compare) })),
      STEPS,
    );
    yield* list;
  });
