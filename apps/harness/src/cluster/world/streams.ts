import { LiveEvents } from "@postern/core/lifecycle";
import type { AccountId } from "@postern/core/shared";
import { Context, Effect, Stream } from "effect";
import type { Cluster } from "../Cluster.ts";
import type { Script } from "../Script.ts";
import { USERS } from "./accounts.ts";

/** A browser that follows the events of an account, and reconnects after a disconnection. */
interface Follower {
  readonly account: AccountId;
  readonly name: string;
  /** The id of the last item with an id. */
  last: string | undefined;
  /** The number of the connection; data from an earlier connection is dropped. */
  connection: number;
}

/** The duration of a connection, and the time until the next one, in milliseconds. */
const CONNECTION_MILLIS = [5_000, 18_000] as const;
const RECONNECT_MILLIS = 1_000;

/** Adds acts in which browsers follow the events of accounts, and lose their connections. */
export const streamActs = (script: Script): void => {
  const { cluster } = script;
  const { random } = cluster;
  if (random.chance(0.5)) return;
  const account = random.pick(USERS)!;
  script.often(1, (number) => follow(cluster, { account, name: `browser ${number}`, last: undefined, connection: 0 }));
};

const follow = (cluster: Cluster, follower: Follower): void => {
  const { random, timeline, facts } = cluster;
  const { account, name } = follower;
  const connection = ++follower.connection;
  const lasts = random.between(...CONNECTION_MILLIS);
  cluster.request(
    `follow the events of ${account} after ${follower.last ?? "now"}`,
    (services) =>
      Effect.gen(function* () {
        const items = yield* Context.get(services, LiveEvents).open(account, follower.last, Effect.succeed(true));
        yield* Stream.runForEach(Stream.interruptWhen(items, Effect.sleep(lasts)), (item) =>
          Effect.sync(() => {
            if (connection !== follower.connection || item._tag === "Heartbeat") return;
            if (item._tag === "Gap") return void facts.push({ _tag: "GapSeen", follower: name, account });
            const id = item._tag === "Event" ? item.event.id : item.id;
            if (item._tag === "Event") facts.push({ _tag: "EventSeen", follower: name, account, id });
            else if (follower.last === undefined) facts.push({ _tag: "FollowBegan", follower: name, account, id });
            follower.last = id;
          }),
        );
      }),
    () => timeline.after(random.between(1, RECONNECT_MILLIS), () => follow(cluster, follower)),
  );
};
