import { type ConnectionPurpose, HostAdmission } from "@postern/core/accounts";
import type { MailServer } from "@postern/core/mail";
import { Context, Effect, Fiber } from "effect";
import type { Cluster } from "../../Cluster.ts";
import type { Invariant } from "../../Invariant.ts";
import { HOST_LIMIT } from "../../nodes/process-fakes.ts";
import type { Visit } from "../../Visit.ts";
import { MINUTE, SECOND } from "./durations.ts";

/** How far the clocks of nodes differ, and answers of the store are late. */
const NEAR = SECOND;

interface Admission {
  readonly purpose: ConnectionPurpose;
  readonly tag: string;
  readonly asked: number;
  readonly at: number;
}

/**
 * All nodes together open a limited number of connections to a host in any ten seconds. A request that would wait longer is
 * refused at once; watches wait, and first watches leave a share to the others. Servers of the operator are not limited.
 * [S10.3-40] [S10.3-41] [S10.3-42]
 */
export const hostLimits: Invariant = {
  name: "host-limits",
  watch: () => ({
    apart: (visit, cluster) =>
      Effect.gen(function* () {
        yield* crowdRequests(visit);
        yield* crowdWatches(visit, cluster);
        yield* stayBehindRequests(visit);
        const { admit } = hostOf(visit, "unlimited", "operator");
        const free = yield* Effect.all(
          Array.from({ length: 60 }, () => admit("request")),
          { concurrency: 60 },
        );
        visit.expect(
          free.every(({ at, asked, tag }) => tag === "Answered" && at - asked < NEAR),
          "a connection to a server of the operator waits",
        );
      }),
  }),
};

/** Returns the connections to a host, and a comparison of all of them with the limit. */
const hostOf = (visit: Visit, name: string, origin: MailServer["origin"] = "account") => {
  const all: Array<Admission> = [];
  let count = 0;
  const server: MailServer = { host: `${name}.sim.test`, port: 993, tls: "implicit", origin };
  const admit = (purpose: ConnectionPurpose) =>
    Effect.gen(function* () {
      const asked = visit.now;
      // Names of hosts are the same in capitals.
      const host = count++ % 2 === 0 ? server.host : server.host.toUpperCase();
      const tag = yield* visit.tagOf("connect", (services) =>
        Context.get(services, HostAdmission).admit({ ...server, host }, purpose),
      );
      const admission = { purpose, tag, asked, at: visit.now };
      all.push(admission);
      return admission;
    });
  const admitted = (within: (admission: Admission) => boolean = () => true) =>
    all.filter((one) => one.tag === "Answered" && within(one));
  const compare = () => {
    for (const { at } of admitted()) {
      const near = admitted((other) => other.at >= at && other.at < at + HOST_LIMIT.windowMillis - NEAR);
      visit.expect(near.length <= HOST_LIMIT.connections, `${name}: ${near.length} connections in ten seconds`);
    }
  };
  return { admit, admitted, compare };
};

/** Two spans of requests are admitted, and the rest is refused. */
const crowdRequests = (visit: Visit) =>
  Effect.gen(function* () {
    const { admit, admitted, compare } = hostOf(visit, "crowded");
    const { connections, windowMillis } = HOST_LIMIT;
    const count = 2 * connections + 20;
    const all = yield* Effect.all(
      Array.from({ length: count }, () => admit("request")),
      { concurrency: count },
    );
    compare();
    visit.same(admitted().length, 2 * connections, "the requests that a host admits within ten seconds");
    visit.same(admitted(({ at, asked }) => at - asked < NEAR).length, connections, "the requests that need not wait");
    visit.expect(
      all.every(({ at, asked }) => at - asked < windowMillis + NEAR),
      "a request waits longer than ten seconds for a connection",
    );
    visit.expect(
      all.every(({ tag, at, asked }) => tag === "Answered" || (tag === "HostLimited" && at - asked < NEAR)),
      "a request that cannot be admitted within ten seconds is not refused at once",
    );
  });

/** First watches and others wait, and each is admitted. */
const crowdWatches = (visit: Visit, { random }: Cluster) =>
  Effect.gen(function* () {
    const { admit, admitted, compare } = hostOf(visit, "watched");
    const count = HOST_LIMIT.connections + random.between(5, 20);
    const first = yield* Effect.forkChild(
      Effect.all(
        Array.from({ length: count }, () => admit("first watch")),
        { concurrency: count },
      ),
    );
    yield* visit.wait(NEAR);
    visit.same(admitted().length, 0.8 * HOST_LIMIT.connections, "the first watches that a host admits at once");
    const others = yield* Effect.forkChild(
      Effect.all(
        Array.from({ length: 15 }, () => admit("watch")),
        { concurrency: 15 },
      ),
    );
    yield* visit.wait(NEAR);
    const soon = admitted(({ purpose }) => purpose === "watch").length;
    visit.same(soon, 0.2 * HOST_LIMIT.connections, "the watches that go on beside first watches");
    yield* visit.within(MINUTE, "a watch never gets a connection", () => admitted().length === count + 15);
    yield* Fiber.interrupt(first);
    yield* Fiber.interrupt(others);
    compare();
  });

/** Watches wait while a host is full, and requests that come later get their connections at the end of the span as well. */
const stayBehindRequests = (visit: Visit) =>
  Effect.gen(function* () {
    const { admit, admitted, compare } = hostOf(visit, "shared");
    const request = (count: number) =>
      Effect.all(
        Array.from({ length: count }, () => admit("request")),
        { concurrency: count },
      );
    yield* request(HOST_LIMIT.connections);
    const waiting = yield* Effect.forkChild(Effect.all([admit("first watch"), admit("watch")], { concurrency: 2 }));
    const later = yield* request(0.6 * HOST_LIMIT.connections);
    visit.expect(
      later.every(({ tag }) => tag === "Answered"),
      "a request is refused because of waiting watches",
    );
    const ofWatches = () => admitted(({ purpose }) => purpose !== "request");
    yield* visit.within(MINUTE, "a watch behind requests gets no connection", () => ofWatches().length === 2);
    visit.expect(
      ofWatches().every(({ at, asked }) => at - asked > HOST_LIMIT.windowMillis - NEAR),
      "a watch gets a connection to a full host",
    );
    yield* Fiber.interrupt(waiting);
    compare();
  });
