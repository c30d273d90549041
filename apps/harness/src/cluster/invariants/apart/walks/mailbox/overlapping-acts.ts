import { type FolderEntry, Inbox, type InboxEntry, Search } from "@postern/core/messages";
import { Context, Effect } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { PortCall } from "../../../../faults/PortCall.ts";
import type { Visit } from "../../../../Visit.ts";
import { SECOND } from "../../durations.ts";
import type { Act } from "../walk.ts";
import { type BoxModel, PLACES, textOf } from "./BoxModel.ts";

/** The ports over which messages are read. */
const READERS: ReadonlySet<string> = new Set(["MailboxReader", "MessageSearch"]);

/** Acts in which other programs change messages while Postern reads them from a slow server. */
export const overlappingActs = (
  visit: Visit,
  { random, servers }: Cluster,
  model: BoxModel,
  /** Acts of other programs. */
  foreign: ReadonlyArray<Act>,
): ReadonlyArray<Act> => {
  const { account } = model;
  /** Lets each answer of the mail server to a reader take up to this long. */
  const slowly = (most: number) => {
    servers.lateness = ({ port }: PortCall) => (READERS.has(port) ? random.between(0, most) : 0);
  };
  const changeOnce = Effect.suspend(
    () => random.pick(foreign.filter(({ isPossible }) => isPossible?.() ?? true))?.run ?? Effect.void,
  );
  const lineOf = ({ message }: InboxEntry) => `${message.subject} ${textOf(message).join(" ")}`;
  const inbox = () => model.in("INBOX").map((one) => `${one.subject} ${textOf(one).join(" ")}`);
  return [
    {
      name: "INBOX changes while it is listed, and is listed with max-age",
      weight: 3,
      run: Effect.gen(function* () {
        slowly(4 * SECOND);
        const seconds = random.pick([10, 60]);
        let hasChanged = false;
        const both = visit.ask("list twice", (services) =>
          Effect.gen(function* () {
            const list = Context.get(services, Inbox).list(account, { limit: 50, maxAge: seconds * SECOND });
            yield* list;
            servers.lateness = null;
            do yield* Effect.sleep(SECOND);
            while (!hasChanged);
            return yield* list;
          }),
        );
        const change = Effect.gen(function* () {
          yield* visit.wait(random.between(1, 3 * SECOND));
          yield* changeOnce;
          hasChanged = true;
        });
        const [second] = yield* Effect.all([both, change], { concurrency: 2 });
        visit.same(
          second.page.emails.map(lineOf),
          inbox(),
          "a listing with max-age after a change during the one before",
        );
      }),
    },
    {
      name: "messages change while they are read",
      weight: 2,
      run: Effect.gen(function* () {
        slowly(SECOND);
        const [number, order] = [random.between(0, 3), random.pick(["folder", "date"] as const)];
        const before = new Set(PLACES.flatMap((place) => model.in(place).map((one) => `${place} ${one.subject}`)));
        type Shown = Pick<FolderEntry, "path" | "message">;
        const read = visit.ask("read", (services): Effect.Effect<ReadonlyArray<Shown>, unknown> =>
          number === 0
            ? Effect.map(
                Context.get(services, Inbox).listAccount(account, { folders: "*,junk,trash" }),
                ({ emails: all }) => all,
              )
            : number === 1
              ? Effect.map(Context.get(services, Inbox).list(account, { limit: 50 }), ({ page }) =>
                  page.emails.map(({ message }) => ({ message, path: "INBOX" })),
                )
              : Effect.map(
                  Context.get(services, Search).list(account, { from: "friend", order, limit: 50 }),
                  ({ emails: all }) => all,
                ),
        );
        const change = Effect.andThen(visit.wait(random.between(1, 2 * SECOND)), changeOnce);
        const [emails] = yield* Effect.all([read, change], { concurrency: 2 });
        servers.lateness = null;
        const shown = emails.map(({ path, message }) => `${path} ${message.subject}`);
        visit.same(shown.length, new Set(shown).size, "the number of messages that a reading shows, each once");
        const places = number === 1 ? (["INBOX"] as const) : PLACES;
        const after = places.flatMap((place) => model.in(place).map((one) => `${place} ${one.subject}`));
        const stayed = after.filter((line) => before.has(line));
        visit.same(
          stayed.filter((line) => !shown.includes(line)),
          [],
          "the messages that stayed and that a reading leaves out",
        );
        const possible = new Set([...before, ...after]);
        visit.same(
          shown.filter((line) => !possible.has(line)),
          [],
          "the messages that a reading shows and that never were there",
        );
      }),
    },
  ];
};
