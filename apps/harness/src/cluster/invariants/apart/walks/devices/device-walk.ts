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
/** The time by which a provider that asks for it is asked later, each time (RFC 8628, 3.5). */
const SLOWER_BY = 5 * SECOND;
/** The time around a deadline in which both answers are right. */
const NEAR = 2 * SECOND;

interface Device {
  readonly id: string;
  readonly userCode: string;
  readonly key: string;
  readonly reach: ReadonlyArray<string>;
  readonly email: string | null;
  readonly tags: ReadonlyArray<string> | null;
  interval: number;
  expiresAt: number;
  nextPollAt: number;
  /** Whether the provider asks for a slower pace at the next question. */
  isHurried: boolean;
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
  let asked = 0;
  const pollDevice = tokens.pollDevice.bind(tokens);
  tokens.pollDevice = (...question) => (asked++, pollDevice(...question));
  const isPending = ({ state }: Device) => state === "pending";
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
      isHurried: false,
      decision: null,
      state: "pending",
      account: null,
    });
  });
  const decide = Effect.sync(() => {
    const device = random.pick(devices.filter(({ decision }) => decision === null))!;
    const decision = random.pick(["denied", "expired", ...users, ...users])!;
    tokens.decideDevice(
      device.userCode,
      decision === "denied" || decision === "expired" ? decision : { user: decision },
    );
    device.decision = decision;
  });
  const isNear = ({ nextPollAt, expiresAt }: Device) =>
    [nextPollAt, expiresAt].some((at) => Math.abs(at - visit.now) < NEAR);
  /** The answers to requests at one time about a device; the provider may be away. */
  const ask = ({ id, expiresAt }: Device, reach: ReadonlyArray<string> | null, isAway: boolean) =>
    Effect.gen(function* () {
      const { conduct } = tokens;
      if (isAway) tokens.conduct = { ...conduct, isDown: true };
      const one = Effect.match(
        use((all) => all.poll(id, reach)),
        { onFailure: ({ _tag }) => [_tag, null], onSuccess: ({ state, account }) => [state, account] },
      );
      const answers = yield* Effect.all(
        Array.from({ length: random.pick([1, 1, 2]) }, () => one),
        { concurrency: 2 },
      );
      tokens.conduct = conduct;
      // One of two requests asks the provider, and the other one does not wait for it.
      const [last] = answers.filter(([state]) => state !== "pending");
      const others = answers.filter((answer) => answer !== last && answer[0] !== "pending");
      // A sweep may remove an expired authorization between them.
      const isSwept = answers.some(([state]) => state === "DeviceNotFound") && visit.now >= expiresAt;
      for (const other of isSwept ? [] : others)
        visit.same(other, last, "one of two answers about a device authorization");
      return last ?? answers[0]!;
    });
  /** A request that is due asks the provider. */
  const follow = (device: Device, isAway: boolean): string | null => {
    const { decision, email } = device;
    const isSlowed = !isAway && device.isHurried;
    if (isSlowed) Object.assign(device, { isHurried: false, interval: device.interval + SLOWER_BY });
    if (isAway || isSlowed || decision === null) {
      device.nextPollAt = visit.now + device.interval;
      return isAway ? "ProviderUnavailable" : null;
    }
    device.state = decision === "denied" || decision === "expired" ? decision : "done";
    if (device.state !== "done") return null;
    if (email !== null && decision !== email) {
      device.state = "denied";
      return "another user";
    }
    Object.assign(device, { account: decision, expiresAt: visit.now + RESULT });
    connected.set(decision, device.tags ?? connected.get(decision) ?? []);
    return null;
  };
  const poll = Effect.fnUntraced(function* (device: Device) {
    if (isNear(device)) return;
    const isForeign = random.chance(0.2);
    const isOver = visit.now >= device.expiresAt;
    const isDue = !isForeign && isPending(device) && visit.now >= device.nextPollAt;
    const isEnded = isOver || !keys.has(device.key);
    const isAway = random.chance(0.15);
    const before = asked;
    const reach = random.pick(isForeign ? [["tag:b"], ["*@sim.test"], []] : [device.reach, null])!;
    const answer = yield* ask(device, reach, isAway);
    visit.same(asked - before, isDue && !isEnded && !isAway ? 1 : 0, "the questions to a provider about a device");
    if (isForeign) return visit.same(answer[0], "DeviceNotFound", "a device authorization of a key with another reach");
    if (!isPending(device) && isOver) {
      // The result may be gone.
      return visit.expect(
        ["DeviceNotFound", device.state].includes(answer[0]!),
        "an authorization that is over has another state than before",
      );
    }
    if (isDue && isEnded) device.state = "expired";
    const failure = isDue && !isEnded ? follow(device, isAway) : null;
    if (failure === "another user")
      return visit.expect(
        answer[0] === "OtherIdentity" || answer[0] === "AccountUnverified",
        `the consent of ${device.decision} for ${device.email} is ${answer[0]}`,
      );
    if (isOver && answer[0] === "DeviceNotFound") return;
    visit.same(
      answer,
      failure === null ? [device.state, device.account] : [failure, null],
      `a device authorization, ${device.decision ?? "undecided"}`,
    );
    if (device.state !== "done") return;
    const found = yield* visit.ask("find", (services) => Context.get(services, Accounts).find(device.account!, null));
    visit.same(
      [found.managed, found.authKind, found.provider, found.tags],
      [true, "oauth2", app, connected.get(device.account!)],
      "an account that a device connected",
    );
  });
  /** The provider asks for a slower pace: it is not asked when the former interval is over. */
  const slow = Effect.gen(function* () {
    const device = random.pick(devices.filter(isPending))!;
    tokens.slowDevice(device.userCode);
    device.isHurried = true;
    yield* visit.wait(Math.max(0, device.nextPollAt - visit.now) + NEAR);
    yield* poll(device);
    yield* visit.wait(Math.max(0, device.nextPollAt - visit.now - SLOWER_BY) + NEAR);
    yield* poll(device);
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
    { name: "the provider asks for a slower pace", weight: 2, isPossible: () => devices.some(isPending), run: slow },
    {
      name: "poll",
      weight: 9,
      isPossible: () => devices.length > 0,
      run: Effect.suspend(() => poll(random.pick(devices)!)),
    },
    { name: "wait for the interval", weight: 5, run: visit.wait(8 * SECOND) },
    { name: "end a key", isPossible: () => keys.size > 1, run: endKey },
  ];
};
