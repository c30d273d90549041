import type { MailEvent } from "@postern/core/events";
import { Effect } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import { BACKFILL_RATE } from "../../../../nodes/process-fakes.ts";
import type { Visit } from "../../../../Visit.ts";
import { SECOND } from "../../durations.ts";
import type { Act } from "../walk.ts";
import { type FollowModel, MOVABLE } from "./FollowModel.ts";

/** The number of messages of a backlog: several times what is announced in a second. */
const MESSAGES = { least: 4, most: 10 };

/** More messages arrive while no node runs than are announced in a second, in any folders, one after another. */
export const backlogAct = (visit: Visit, { random }: Cluster, model: FollowModel): Act => ({
  name: "mail arrives during an outage",
  weight: 4,
  isPossible: () => model.isOutage && model.messages.length < 14,
  run: Effect.gen(function* () {
    for (let left = random.between(MESSAGES.least, MESSAGES.most); left > 0; left--) {
      const one = model.write(random.pick(["INBOX", ...MOVABLE] as const), random.chance(0.3) ? ["\\Seen"] : []);
      model.arrive(one);
      model.backlog.add(one.subject);
      yield* visit.wait(random.pick([0, SECOND, 3 * SECOND]));
    }
  }),
});

/** Returns what is wrong with the order and the pace of a backlog in the events of a comparison. */
export const faultsOfBacklog = (events: ReadonlyArray<MailEvent>, model: FollowModel): ReadonlyArray<string> => {
  const told = events.flatMap(({ type, body }) => {
    const { timestamp, data } = JSON.parse(new TextDecoder().decode(body));
    const { subject, date, backfill } = data;
    return type === "email.received" && backfill === true ? [{ at: Date.parse(timestamp), subject, date }] : [];
  });
  const arrivals = told.filter(({ subject }) => model.backlog.has(subject));
  const early = arrivals.slice(1).filter(({ date }, n) => date < arrivals[n]!.date);
  const hasty = told.slice(BACKFILL_RATE).filter(({ at }, n) => at - told[n]!.at < SECOND);
  return [
    ...early.map(({ subject }) => `${subject} is told after a later message`),
    ...hasty.map(({ subject }) => `${subject} is one of more than ${BACKFILL_RATE} in a second`),
  ];
};
