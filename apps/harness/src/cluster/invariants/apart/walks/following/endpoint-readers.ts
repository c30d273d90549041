import type { EventType, MailEvent } from "@postern/core/events";
import { Effect } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { Visit } from "../../../../Visit.ts";
import { ownerOf } from "../../../webhooks/owner-of.ts";
import { type FollowModel, lineOf } from "./FollowModel.ts";
import { chooseFolders, heardBy, isIn, type Reader } from "./readers.ts";

const TYPES: ReadonlyArray<ReadonlyArray<EventType>> = [
  ["email.received", "email.deleted", "email.moved", "email.flags_changed", "email.sent", "draft.changed"],
  ["email.received", "email.deleted"],
  ["email.received"],
  ["email.deleted", "email.flags_changed"],
  ["email.moved"],
  ["email.moved", "email.received"],
  ["email.moved", "email.deleted"],
];

/** Creates endpoints with choices drawn at random; what their receivers got is read like a stream. */
export const endpointReaders = (
  visit: Visit,
  cluster: Cluster,
  model: FollowModel,
  idOf: (folder: string) => string,
): Effect.Effect<ReadonlyArray<Reader>, unknown> => {
  const { random, receivers } = cluster;
  const { account } = model;
  const create = Effect.fnUntraced(function* (name: string) {
    const [chosen, events, ordered] = [chooseFolders(random, idOf), random.pick(TYPES)!, random.chance(0.5)];
    const url = `https://visit.sim.test/${name}`;
    const folders = random.chance(0.2) ? undefined : chosen.split(",");
    const isChosen = isIn(folders === undefined ? "inbox" : chosen, idOf);
    yield* ownerOf(visit, cluster, account).create(url, { events, ordered, ...(folders && { folders }) });
    const known = new Set<string>();
    /** Only an ordered endpoint gets events in their order. */
    const inOrder = <A>(some: ReadonlyArray<A>, textOf: (one: A) => string) =>
      ordered ? some : some.toSorted((one, other) => (textOf(one) < textOf(other) ? -1 : 1));
    return {
      name: `an endpoint of ${folders?.join(",") ?? "the default folders"} and ${events.join(",")}`,
      read: Effect.sync(() => {
        const found: Array<MailEvent> = [];
        for (const { url: to, eventId, post } of receivers.posts) {
          if (to !== url || known.has(eventId)) continue;
          known.add(eventId);
          found.push({ id: eventId, type: post.headers["X-Service-Event"], body: post.body } as unknown as MailEvent);
        }
        return inOrder(found, (event) => lineOf(model.told(event)));
      }),
      promised: (all) =>
        inOrder(
          all.flatMap((event) =>
            heardBy(
              isChosen,
              (type) => (events as ReadonlyArray<string>).includes(type),
              model.silentMoves.has(event.id),
              event,
            ),
          ),
          lineOf,
        ).map(lineOf),
    } satisfies Reader;
  });
  return Effect.forEach(["following-one", "following-two"], create);
};
