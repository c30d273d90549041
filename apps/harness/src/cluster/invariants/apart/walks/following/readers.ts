import type { MailEvent } from "@postern/core/events";
import { LiveEvents } from "@postern/core/lifecycle";
import { Context, Effect, Option, Stream } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { Visit } from "../../../../Visit.ts";
import type { SeededRandom } from "../../../../timeline/SeededRandom.ts";
import { SECOND } from "../../durations.ts";
import { type FollowModel, lineOf, type Told } from "./FollowModel.ts";

type ReadFeed = LiveEvents["Service"]["readFeed"];
type FeedReader = Effect.Success<Parameters<ReadFeed>[1]>;
type Part = Effect.Success<ReturnType<ReadFeed>>;
type Receiver = Told & { readonly id: string };

/** A number of answers larger than the feed of a walk needs. */
const MAX_PARTS = 60;

/** The rules of 7.11 for a receiver of some folders and types: what it gets in the place of an event. */
export const heardBy = (
  isChosen: (folder: string) => boolean,
  isOfType: (type: string) => boolean,
  isSilent: boolean,
  { type, folder, from, text }: Told,
): ReadonlyArray<Told> => {
  if (type !== "email.moved" || from === undefined) {
    return isOfType(type) && isChosen(folder) ? [{ type, folder, from, text }] : [];
  }
  if (isOfType(type) && isChosen(folder) && isChosen(from)) return [{ type, folder, from, text }];
  if (folder === from) return [];
  const [subject] = text.split(" ");
  const left = { type: "email.deleted", folder: from, from: undefined, text: `${subject} moved` };
  const came = { type: "email.received", folder, from: undefined, text: `${text} moved` };
  return [
    ...(isOfType(left.type) && isChosen(from) ? [left] : []),
    ...(isOfType(came.type) && isChosen(folder) && !isSilent ? [came] : []),
  ];
};

/** Draws the folders of a receiver, separated by commas. */
export const chooseFolders = (random: SeededRandom, idOf: (folder: string) => string): string =>
  random.pick(["*", "inbox", "*,junk,trash", "junk", `inbox,${idOf("Archive")}`, "trash,junk"]);

/** Returns whether a choice of folders contains a folder. */
export const isIn =
  (choice: string, idOf: (folder: string) => string) =>
  (folder: string): boolean =>
    choice.split(",").includes(idOf(folder)) || (choice.includes("*") && folder !== "Junk" && folder !== "Trash");

/** A reader of events that remembers where it stopped. */
export interface Reader {
  readonly name: string;
  /** Reads what followed since the last time. */
  readonly read: Effect.Effect<ReadonlyArray<MailEvent>, unknown>;
  /** Returns what the reader must get of some events. */
  readonly promised: (events: ReadonlyArray<Receiver>) => ReadonlyArray<string>;
}

/** Returns readers of the feed and of streams, with choices drawn at random. */
export const readersOf = (
  visit: Visit,
  { random }: Cluster,
  model: FollowModel,
  key: FeedReader,
  idOf: (folder: string) => string,
): ReadonlyArray<Reader> => {
  const { account } = model;
  const choose = () => chooseFolders(random, idOf);
  const types = () => random.pick([undefined, undefined, "email.moved", "email.received,email.deleted,email.moved"]);

  const feed = (name: string, reader: FeedReader): Reader => {
    const chosen = random.chance(0.3) ? undefined : choose();
    const [isChosen, ofTypes] = [isIn(chosen ?? "*", idOf), types()];
    const limit = () => random.pick([1, 2, 3, 100, model.promised.length || 1]);
    const request = { types: ofTypes, ...(chosen !== undefined && { folders: chosen }) };
    const ask = (after: string | undefined, most: number) =>
      visit.ask("read the feed", (services) =>
        Context.get(services, LiveEvents).readFeed(
          { ...request, limit: most, ...(after && { after }) },
          Effect.succeed(reader),
        ),
      );
    let after: string | undefined;
    return {
      name: `${name} of ${chosen ?? "the default folders"} and ${ofTypes ?? "all types"}`,
      read: Effect.gen(function* () {
        const found: Array<MailEvent> = [];
        if (after === undefined) {
          const part = yield* ask(undefined, 1);
          visit.same(part.events.length, 0, "the events of the feed without a position");
          after = part.next;
          return found;
        }
        for (let parts = 0; parts < MAX_PARTS; parts++) {
          const most = limit();
          const part: Part = yield* ask(after, most);
          visit.expect(part.events.length <= most, "an answer of the feed has more than its limit");
          found.push(...part.events);
          after = part.next;
          if (part.events.length === 0 && !part.more) return found;
        }
        visit.expect(false, "the feed does not end");
        return found;
      }),
      promised: (events) =>
        events.flatMap((event) => {
          const isTold = isChosen(event.folder) || (event.from !== undefined && isChosen(event.from));
          return isTold && (ofTypes === undefined || ofTypes.split(",").includes(event.type)) ? [lineOf(event)] : [];
        }),
    };
  };

  const stream = (name: string, isOfKey: boolean): Reader => {
    const chosen = random.chance(0.3) ? undefined : choose();
    let after: string | undefined;
    const open = (services: Parameters<Parameters<Visit["ask"]>[1]>[0]) => {
      const live = Context.get(services, LiveEvents);
      return isOfKey && !("account" in key)
        ? live.openFeed(after, Effect.succeed(Option.some(key)), chosen)
        : live.open(account, after, Effect.succeed(true), chosen);
    };
    return {
      name: `${name} of ${chosen ?? "inbox"}`,
      read: visit.ask("follow", (services) =>
        Effect.gen(function* () {
          const found: Array<MailEvent> = [];
          const items = yield* open(services);
          yield* Stream.runForEach(Stream.interruptWhen(items, Effect.sleep(SECOND)), (item) =>
            Effect.sync(() => {
              if (item._tag === "Gap") visit.expect(false, `${name} has a gap`);
              if (item._tag === "Event") found.push(item.event);
              if (item._tag === "Position") after = item.id;
              // A position and the id of its event are both where a stream goes on.
              if (item._tag === "Event") after = random.chance(0.5) ? item.id : item.event.id;
            }),
          );
          return found;
        }),
      ),
      promised: (events) =>
        events.flatMap((event) =>
          heardBy(isIn(chosen ?? "inbox", idOf), () => true, model.silentMoves.has(event.id), event).map(lineOf),
        ),
    };
  };
  return [
    feed("the feed", { account }),
    feed("another feed", { account }),
    feed("the feed of a key", key),
    stream("a stream", false),
    stream("a stream of a key", true),
  ];
};
