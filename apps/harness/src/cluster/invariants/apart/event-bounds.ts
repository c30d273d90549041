import { Effect } from "effect";
import { dataOf, eventsOf } from "../../events-of.ts";
import type { Invariant } from "../../Invariant.ts";
import { ownerOf } from "../webhooks/owner-of.ts";
import { SECOND } from "./durations.ts";

/** The maximum time until an arrival is told. */
const SOON = 6 * SECOND;
const SUBJECT = 998;
const ADDRESS = 320;
const LIST = 50;
/** A body has at most 64 KiB. [S7.1-5] */
const BODY = 64 * 1024;

/** The fields of a message that its event repeats up to a bound. */
interface BoundedFields {
  readonly subject: string;
  readonly name: string;
  readonly to: ReadonlyArray<string>;
}

/**
 * Messages arrive with fields at their bounds and beyond: their events have each field up to its bound and the right number of
 * recipients, and say that something was cut if it was. [S7.1-5]
 */
export const eventBounds: Invariant = {
  name: "event-bounds",
  watch: () => ({
    apart: (visit, cluster) =>
      Effect.gen(function* () {
        const { random } = cluster;
        const account = yield* visit.signUp("bounded");
        const { create } = ownerOf(visit, cluster, account);
        yield* create("https://visit.sim.test/bounded");
        const size = (bound: number) => bound + random.pick([-1, 0, 1, 40]);
        /** Returns a text that may end in a character of two UTF-16 units, which is not split. */
        const write = (length: number) => {
          const text = "s".repeat(length);
          return random.chance(0.3) ? `${text.slice(2)}\u{1F4E7}` : text;
        };
        const recipient = (length: number) => `to@${"d".repeat(length - 8)}.test`;
        for (let number = 1; number <= 6 && cluster.violations.length === 0; number++) {
          const long = random.some(["subject", "name", "list", "address"], random.between(0, 5));
          const count = long.includes("list") ? size(LIST) : 2;
          const said: BoundedFields = {
            subject: long.includes("subject") ? write(size(SUBJECT)) : `bounded ${number}`,
            name: long.includes("name") ? write(size(ADDRESS)) : "Ada",
            to: Array.from({ length: count }, (_, at) =>
              long.includes("address") && at === 1 ? recipient(size(ADDRESS)) : `to-${at}@far.test`,
            ),
          };
          const fields = [
            `Message-ID: <bounded-${number}@far.test>`,
            `From: ${said.name} <ada@far.test>`,
            `To: ${said.to.join(", ")}`,
            `Subject: ${said.subject}`,
          ];
          const text = new TextEncoder().encode(`${fields.join("\r\n")}\r\n\r\nwords\r\n`);
          cluster.mail.account(account).mailbox("INBOX").append(text, visit.now);
          const told = () => eventsOf(cluster, account, "email.received");
          yield* visit.within(SOON, "a message with long fields is not told", () => told().length >= number);
          const event = told().at(-1);
          if (event === undefined) return;
          const cut: BoundedFields = {
            subject: start(said.subject, SUBJECT),
            name: start(said.name, ADDRESS),
            to: said.to.slice(0, LIST).map((one) => start(one, ADDRESS)),
          };
          const isCut = JSON.stringify(cut) !== JSON.stringify(said);
          const found = ["subject", "fromName", "to", "toCount", "truncated"].map(
            (name) => dataOf(event, name) ?? null,
          );
          const promised = [cut.subject, cut.name, cut.to, count, isCut ? true : null];
          visit.same(found, promised, `the event of message ${number}`);
          visit.expect(event.body.length <= BODY, "the body of an event is larger than 64 KiB");
        }
      }),
  }),
};

/** Returns the start of a text, without half a character at its end. */
const start = (text: string, length: number): string =>
  text.length <= length ? text : text.slice(0, length).replace(/[\uD800-\uDBFF]$/, "");
