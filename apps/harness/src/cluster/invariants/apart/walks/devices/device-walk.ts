import { Accounts } from "@postern/core/accounts";
import { DeviceConnections } from "@postern/core/lifecycle";
import { OAuthApps } from "@postern/core/oauth";
import { Context, Effect } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { Invariant } from "../../../../Invariant.ts";
import type { Visit } from "../../../../Visit.ts";
import { operatorOf } from "../../applications/operator.ts";
import { MINUTE, SECOND } from "../../durations.ts";
import { type Act, walk, worldActs } from "../walk.ts";

/** The acts of a walk. */
const STEPS = 30;
/** How long the result of an authorization can be read. */
const RESULT = 10 * MINUTE;
/** The time around a deadline in which both answers are right. */
const NEAR = 2 * SECOND;

interface Device {
  readonly id: string;
  readonly userCode: string;
  readonly key: string;
  readonly reach: ReadonlyArray<string>;
  readonly email: string | null;
  readonly tags: ReadonlyArray<string> | null;
  readonly interval: number;
  expiresAt: number;
  nextPollAt: number;
  decision: string | null;
  state: "pending" | "done" | "denied" | "expired";
  account: string | null;
}

/**
 * Device authorizations that are begun, decided, polled and forgotten in any order connect the account whose user consented, unless
 * they or their key have ended; only keys with the same reach see them; the provider is asked once per interval. [S10.3-25]
 * [S11.3-1] [S11.3-17] [S11.3-18]
 */
export const deviceWalk: Invariant = {
  name: "device-walk",
  watch: () => ({
    apart: (visit, cluster) =>
      Effect.gen(function* () {
        const { app, account, tokens } = cluster.providers.all[visit.pickInTurn([0, 1])]!;
        const users = [account, "second@sim.test"];
        for (const user of users) cluster.mail.addAccount(user, "no program knows it");
        cluster.ask((ports) => Context.get(ports, OAuthApps).keep(app));
        const devices: Array<Device> = [];
        const ends = () => devices.flatMap(({ expiresAt }) => [expiresAt]);
        const acts = deviceActs(visit, cluster, { app: app.id, tokens, users, devices });
        yield* walk(visit, cluster, [...acts, ...worldActs(visit, cluster, ends)], STEPS);
      }),
  }),
};

const deviceActs = (
  visit: Visit,
  cluster: Cluster,
  {
    app,
    tokens,
    users,
    devices,
  }: {
    readonly app: string;
    readonly tokens: Cluster["providers"]["all"][number]["tokens"];
    readonly users: ReadonlyArray<string>;
    readonly devices: Array<Device>;
  },
): ReadonlyArray<Act> => {
  const { random } = cluster;
  const operator = operatorOf(visit, cluster);
  const keys = new Set<string>();
  /** The accounts that are connected, with their tags. */
  const connected = new Map<string, ReadonlyArray<string>>();
  const use = <A, E>(ask: (all: DeviceConnections["Service"]) => Effect.Effect<A, E>) =>
    visit.ask("devices", (services) => ask(Context.get(services, DeviceConnections)));

  const makeKey = Effect.map(operator.make("devices"), ({ key }) => void keys.add(key.id));
  const start = Effect.gen(function* () {
    const key = random.pick([...keys])!;
    const tags = random.pick([["a"], ["a", "b"]]);
    const email = random.chance(0.4) ? random.pick(users)! : null;
    const reach = ["tag:a"];
    const at = visit.now;
    // A known account is in the reach of the key.
    const written = { provider: app, tags, ...(email !== null && { email }) };
    const { id, userCode, interval, expiresIn } = yield* use((all) => all.start(written, { reach, key }));
    devices.push({
      id,
      userCode,
      key,
      reach,
      email,
      tags,
      interval: interval * SECOND,
      expiresAt: at + expiresIn * SECOND,
      nextPollAt: at + interval * SECOND,
      decision: null,
      state: "pending",
      account: null,
    });
  });
  const decide = Effect.sync(() => {
    const device = random.pick(devices.filter(({ decision }) => decision === null))!;
    const decision = random.pick(["denied", ...users, ...users])!;
    tokens.decideDevice(device.userCode, decision === "denied" ? "denied" : { user: decision });
    device.decision = decision;
  });
  const isNear = ({ nextPollAt, expiresAt }: Device) =>
    [nextPollAt, expiresAt].some((at) => Math.abs(at - visit.now) < NEAR);
  const poll = Effect.gen(function* () {
    const device = random.pick(devices.filter((one) => !isNear(one)));
    if (device === undefined) return;
    const isDue = device.state === "pending" && visit.now >= device.nextPollAt;
    const isOver = visit.now >= device.expiresAt;
    const isEnded = isOver || !keys.has(device.key);
    const { decision, email } = device;
    if (random.chance(0.2) && (decision === null || device.state !== "pending")) {
      const other = random.pick([["tag:b"], ["*@sim.test"], []])!;
      const foreign = yield* visit.tagOf("devices", (services) =>
        Context.get(services, DeviceConnections).poll(device.id, other),
      );
      visit.same(foreign, "DeviceNotFound", "a device authorization of a key with another reach");
      if (isDue && isEnded) device.state = "expired";
      else if (isDue) device.nextPollAt = visit.now + device.interval;
      return;
    }
    const isOther = email !== null && decision !== null && decision !== "denied" && decision !== email;
    const reach = random.pick([device.reach, null]);
    const answer = yield* Effect.result(use((all) => all.poll(device.id, reach)));
    if (device.state !== "pending" && isOver) {
      // The result may be gone.
      return visit.expect(
        answer._tag === "Failure" ? answer.failure._tag === "DeviceNotFound" : answer.success.state === device.state,
        "an authorization that is over has another state than before",
      );
    }
    if (isDue && isEnded) device.state = "expired";
    else if (isDue && decision === "denied") device.state = "denied";
    else if (isDue && isOther) {
      device.state = "denied";
      return visit.expect(answer._tag === "Failure", `the consent of ${decision} connects ${email}`);
    } else if (isDue && decision !== null) {
      device.state = "done";
      device.account = decision;
      device.expiresAt = visit.now + RESULT;
      connected.set(decision, device.tags ?? connected.get(decision) ?? []);
    } else if (isDue) device.nextPollAt = visit.now + device.interval;
    if (isOver && answer._tag === "Failure")
      return visit.same(answer.failure._tag, "DeviceNotFound", "one that is over");
    visit.same(
      answer._tag === "Success" ? [answer.success.state, answer.success.account] : answer.failure._tag,
      [device.state, device.account],
      `a device authorization, ${decision === null ? "undecided" : decision}`,
    );
    if (device.state !== "done") return;
    const found = yield* visit.ask("find", (services) => Context.get(services, Accounts).find(device.account!, null));
    visit.same(
      [found.managed, found.authKind, found.provider, found.tags],
      [true, "oauth2", app, connected.get(device.account!)],
      "an account that a device connected",
    );
  });
  const endKey = Effect.gen(function* () {
    const key = random.pick([...keys])!;
    keys.delete(key);
    yield* operator.keys((all) => all.remove(key));
  });
  return [
    { name: "make a key", weight: 2, isPossible: () => keys.size < 2, run: makeKey },
    { name: "start", weight: 4, isPossible: () => keys.size > 0 && devices.length < 8, run: start },
    { name: "decide", weight: 4, isPossible: () => devices.some(({ decision }) => decision === null), run: decide },
    { name: "poll", weight: 8, isPossible: () => devices.length > 0, run: poll },
    { name: "wait for the interval", weight: 5, run: visit.wait(8 * SECOND) },
    { name: "end a key", isPossible: () => keys.size > 1, run: endKey },
  ];
};
