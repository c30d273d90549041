import { LiveEvents } from "@postern/core/lifecycle";
import { Context, Effect } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { Invariant } from "../../../../Invariant.ts";
import type { Visit } from "../../../../Visit.ts";
import { SECOND } from "../../durations.ts";
import { type Act, walk } from "../walk.ts";

type Request = Parameters<LiveEvents["Service"]["waitFor"]>[1];
type Place = "INBOX" | "Archive" | "Junk";

/** A message that arrived; its subject names it. */
interface Awaited {
  readonly subject: string;
  readonly from: string;
  readonly text: string;
  readonly place: Place;
}

const STEPS = 6;
const PLACES = ["INBOX", "Archive", "Junk"] as const;
const PEOPLE = ["Anna <anna@far.test>", "Bert <bert@far.test>"];
const TEXTS = [
  "Your code is 123456. See https://far.test/one",
  "Nothing\r\n to  do",
  "Code: 4711 or https://far.test/two",
];
/** The shortest time in which a request notices a message: other folders than INBOX are checked every 3 seconds. */
const NOTICED = 7 * SECOND;

const WRONG: ReadonlyArray<readonly [Request, string]> = [
  [{ timeout: 121 }, "InputInvalid"],
  [{ timeout: -1 }, "InputInvalid"],
  [{ folders: [] }, "InputInvalid"],
  [{ folders: Array.from({ length: 11 }, () => "inbox") }, "InputInvalid"],
  [{ folders: ["nowhere"] }, "FolderNotFound"],
  [{ after: "nothing" }, "InputInvalid"],
];

/**
 * A request that waits is answered with the first message that arrives in its folders and contains its texts, compared without
 * case, or with null at its timeout; consecutive requests get each message of INBOX once. [S5.6-1] [S5.6-2] [S5.6-3] [S5.6-4]
 * [S5.6-5] [S5.6-6] [S5.6-7]
 */
export const waitWalk: Invariant = {
  name: "wait-walk",
  watch: () => ({
    // In every other seed, because a seed must stay cheap.
    apart: (visit, cluster) => (visit.pickInTurn([true, false]) ? waitForMail(visit, cluster) : Effect.void),
  }),
};

const waitForMail = (visit: Visit, cluster: Cluster) =>
  Effect.gen(function* () {
    const { random } = cluster;
    const account = yield* visit.signUp("waiting");
    const mail = cluster.mail.account(account);
    mail.create("Archive");
    const all: Array<Awaited> = [];
    /** The position up to which INBOX was checked, and the number of messages before it. */
    let position: { readonly next: string; readonly seen: number } | undefined;
    const come = (place: Place) => {
      const subject = `Awaited ${all.length + 1} ${random.pick(["Offer", "Letter"])}`;
      const [from, text] = [random.pick(PEOPLE)!, random.pick(TEXTS)!];
      const raw = `Message-ID: <${all.length}@far.test>\r\nFrom: ${from}\r\nTo: ${account}\r\nSubject: ${subject}\r\n\r\n${text}\r\n`;
      mail.mailbox(place).append(new TextEncoder().encode(raw), visit.now);
      all.push({ subject, from, text, place });
    };
    const draw = (): Request => ({
      ...(random.chance(0.3) && { from: random.pick(["ANNA", "bert@far.test", "Anna <anna"]) }),
      ...(random.chance(0.2) && { to: random.pick(["WAITING@sim", "nobody"]) }),
      ...(random.chance(0.3) && { subject: random.pick(["offer", "LETTER", "awaited"]) }),
      ...(random.chance(0.3) && { contains: random.pick(["CODE", "nothing to do", "far.test/two"]) }),
      ...(random.chance(0.5) && {
        folders: random.pick([["inbox"], ["Archive"], ["inbox", "junk"], ["junk", "Archive"]]),
      }),
    });
    const matches = ({ from, to, subject, contains }: Request, one: Awaited) => {
      const has = (text: string, wanted: string | undefined) =>
        text.toLowerCase().includes((wanted ?? "").toLowerCase());
      const people = has(one.from, from) && has(`<${account}>`, to);
      return people && has(one.subject, subject) && has(one.text.replaceAll(/\s+/g, " "), contains);
    };
    const isIn = ({ folders = ["inbox"] }: Request, { place }: Pick<Awaited, "place">) =>
      folders.some((name) => name.toLowerCase() === place.toLowerCase());
    const wait = (request: Request) =>
      visit.ask("wait for a message", (services) =>
        Context.get(services, LiveEvents).waitFor(account, request, Effect.void, Effect.never),
      );

    /** The connection is cut for some time, or a folder gets a new UIDVALIDITY. Returns whether the connection was cut. */
    const disturb = Effect.fnUntraced(function* (request: Request, earlier: ReadonlyArray<Awaited>) {
      const kind = random.pick(["cut", ...PLACES.filter((place) => isIn(request, { place }))] as const);
      if (kind !== "cut") {
        // Without some earlier messages, new ones get lower UIDs than before.
        const gone = random.chance(0.7) ? new Set(earlier.map(({ subject }) => subject)) : new Set();
        const { messages } = mail.mailbox(kind);
        mail.mailbox(kind).expunge(messages.flatMap(({ uid, summary }) => (gone.has(summary.subject) ? [uid] : [])));
        mail.recreate(kind);
      } else {
        cluster.servers.unreachable.add(account);
        mail.mailbox("INBOX").hangUp();
        yield* visit.wait(random.between(0, 2 * SECOND));
        if (random.chance(0.5)) come("INBOX");
        yield* visit.wait(random.between(0, 2 * SECOND));
        cluster.servers.unreachable.delete(account);
      }
      yield* visit.wait(NOTICED / 2);
      return kind === "cut";
    });
    /** Waits while messages arrive one by one, and compares the answer with the first that matches. */
    const await_ = Effect.fnUntraced(function* (isDisturbed: boolean) {
      // Most messages match a request that is disturbed.
      const request: Request & { readonly timeout: number } = isDisturbed
        ? { folders: random.pick([["inbox"], ["Archive"], ["inbox", "junk"], ["junk", "Archive"]]), timeout: 19 }
        : { ...draw(), timeout: random.pick([10, 15]) };
      const goesOn = position !== undefined && random.chance(0.6);
      const from = goesOn ? position!.seen : all.length;
      // Only in INBOX, messages count that arrived before the request.
      const before = all.length;
      const begun = visit.now;
      let isCut = false;
      const arrivals = Effect.gen(function* () {
        yield* visit.wait(SECOND);
        if (isDisturbed) isCut = yield* disturb(request, all.slice(0, from));
        for (let rest = isDisturbed ? 1 : random.between(0, 3); rest > 0; rest--) {
          const watched = PLACES.filter((place) => isIn(request, { place }));
          come(random.pick(random.chance(0.5) ? watched : (["INBOX", "INBOX", "Archive", "Junk"] as const))!);
          // Messages that arrive at one time in two folders have no order.
          yield* visit.wait(NOTICED / 2);
        }
      });
      const waited = Effect.result(wait({ ...request, ...(goesOn && { after: position!.next }) }));
      const [is] = yield* Effect.all([waited, arrivals], { concurrency: 2 });
      if (is._tag === "Failure") {
        // The next request goes on from the same position.
        if (!goesOn) position = undefined;
        return visit.same([is.failure._tag, isCut], ["MailServerError", true], "a wait without an answer");
      }
      const answer = is.success;
      const first = all.find(
        (one, n) =>
          (n >= before || (n >= from && one.place === "INBOX")) && isIn(request, one) && matches(request, one),
      );
      const found = answer.message?.summary.subject;
      const of = `the answer to a wait for ${JSON.stringify(request)}${goesOn ? " after a position" : ""}`;
      visit.same(found, first?.subject, of);
      if (first === undefined)
        visit.expect(visit.now - begun >= request.timeout * SECOND, `${of} comes before the timeout`);
      const code = first?.text.match(/\d{4,}/)?.[0];
      const link = first?.text.match(/https:\S+/)?.[0];
      visit.same(
        [answer.codes, answer.links],
        [code === undefined ? [] : [code], link === undefined ? [] : [link]],
        `codes and links of ${of}`,
      );
      visit.same(answer.message?.folder.path, first?.place, `the folder of ${of}`);
      const watchesInbox = (request as Request).folders?.includes("inbox") ?? true;
      position =
        watchesInbox && first?.place !== "Archive" && first?.place !== "Junk"
          ? { next: answer.next, seen: first === undefined ? all.length : all.indexOf(first) + 1 }
          : undefined;
    });
    const acts: ReadonlyArray<Act> = [
      { name: "wait for a message", weight: 6, run: Effect.suspend(() => await_(false)) },
      { name: "wait while a folder or the connection ends", weight: 4, run: Effect.suspend(() => await_(true)) },
      {
        name: "a message arrives",
        weight: 2,
        run: Effect.sync(() => come(random.pick(["INBOX", ...PLACES] as const))),
      },
      {
        name: "wait for what cannot be",
        run: Effect.gen(function* () {
          const [request, promised] = random.pick(WRONG)!;
          const tag = visit.tagOf("wait", (services) =>
            Context.get(services, LiveEvents).waitFor(account, request, Effect.void, Effect.never),
          );
          visit.same(yield* tag, promised, `a wait for ${JSON.stringify(request)}`);
        }),
      },
      {
        name: "a service that stops answers with null",
        run: Effect.gen(function* () {
          const begun = visit.now;
          const answer = yield* visit.ask("wait", (services) =>
            Context.get(services, LiveEvents).waitFor(
              account,
              { subject: "never" },
              Effect.void,
              Effect.sleep(2 * SECOND),
            ),
          );
          visit.same([answer.message, visit.now - begun < NOTICED], [null, true], "the answer of a service that stops");
          const refused = yield* visit.tagOf("wait", (services) =>
            Context.get(services, LiveEvents).waitFor(
              account,
              { subject: "never", timeout: 3 },
              Effect.fail({ _tag: "Ended" as const }),
              Effect.never,
            ),
          );
          visit.same(refused, "Ended", "the answer to a session that ended");
        }),
      },
    ];
    yield* walk(visit, cluster, acts, STEPS);
  });
