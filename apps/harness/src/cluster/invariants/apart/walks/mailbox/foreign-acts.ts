import type { Cluster } from "../../../../Cluster.ts";
import { Folders } from "@postern/core/folders";
import { Inbox } from "@postern/core/messages";
import { Context, Effect } from "effect";
import type { Visit } from "../../../../Visit.ts";
import { SECOND } from "../../durations.ts";
import type { Act } from "../walk.ts";
import { type BoxModel, PLACES, type PlaceName } from "./BoxModel.ts";

/** The maximum time until the node that watches the account has recorded the messages of INBOX, in milliseconds. */
const RECORDED = 3 * SECOND;

/** Acts of other mail programs that change messages. */
export const foreignChanges = ({ random, timeline }: Cluster, model: BoxModel): ReadonlyArray<Act> => {
  const isPossible = () => model.messages.length > 0;
  const draw = () => random.pick(model.messages)!;
  const act = (name: string, run: () => void, weight = 1): Act => ({ name, weight, isPossible, run: Effect.sync(run) });
  const flags = () => random.some(["\\Seen", "\\Flagged", "\\Answered", "Work", "travel"], 2);
  return [
    {
      name: "a message arrives",
      weight: 3,
      isPossible: () => model.messages.length < 12,
      run: Effect.sync(() => {
        // Messages that also arrived in the same second may exchange their ids.
        const earlier = model.messages.filter(({ subject }) => timeline.now - model.arrivalOf(subject) > SECOND);
        const like = random.chance(0.2) ? random.pick(earlier) : undefined;
        const place = random.pick(["INBOX", "INBOX", ...PLACES] as const);
        const isSought = like?.sought.has(place) === true;
        model.store(place, random.chance(0.5) ? [] : flags(), isSought ? undefined : like);
      }),
    },
    act("another program sets flags", () => {
      const [one, chosen] = [draw(), flags()];
      model.mailbox(one.place).find(model.uidOf(one)!)!.flags = chosen;
      Object.assign(one, {
        unread: !chosen.includes("\\Seen"),
        flagged: chosen.includes("\\Flagged"),
        answered: chosen.includes("\\Answered"),
        labels: chosen.flatMap((flag) => (flag.startsWith("\\") ? [] : [flag.toLowerCase()])),
      });
    }),
    act("another program deletes a message", () => {
      model.expunge(draw());
    }),
    act("another program moves a message", () => {
      const [one, place] = [draw(), random.pick<PlaceName>(PLACES)!];
      if (place === one.place || one.sought.has(place)) return;
      model.mailbox(one.place).move([model.uidOf(one)!], model.mailbox(place));
      one.place = place;
      model.endId(one);
    }),
  ];
};

/** Acts of other mail programs and of the mail server that change folders. */
export const foreignFolderChanges = (visit: Visit, { random, mail }: Cluster, model: BoxModel): ReadonlyArray<Act> => [
  {
    name: "another program renames a folder and renames it back",
    run: Effect.gen(function* () {
      const folders = mail.account(model.account);
      const list = visit.ask("folders", (services) => Context.get(services, Folders).list(model.account));
      // A folder that got a new UIDVALIDITY since its last listing would have neither its name nor its UIDVALIDITY.
      yield* list;
      folders.rename("Archive", "Elsewhere");
      yield* list;
      folders.rename("Elsewhere", "Archive");
    }),
  },
  {
    name: "a folder gets a new UIDVALIDITY",
    run: Effect.gen(function* () {
      const place = random.pick<PlaceName>(PLACES);
      // Messages of INBOX keep their ids if the node that watches the account has recorded them.
      yield* visit.wait(RECORDED);
      // A folder that was renamed since its last listing would have neither its name nor its UIDVALIDITY.
      yield* visit.ask("folders", (services) => Context.get(services, Folders).list(model.account));
      mail.account(model.account).recreate(place);
      // Until the node has compared the messages, a listing may show other ids.
      yield* visit.ask("list", (services) =>
        Context.get(services, Inbox).list(model.account, { limit: random.pick([2, 20]) }),
      );
      yield* visit.wait(RECORDED);
      for (const one of model.messages) {
        if (one.place !== place || place === "INBOX") continue;
        // A message whose move was not answered may be found only now, and then keeps its id.
        if (one.sought.has(place)) one.id = null;
        else model.endId(one);
      }
    }),
  },
];
