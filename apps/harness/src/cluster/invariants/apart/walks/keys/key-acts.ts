import type { Keys, ServiceKey } from "@postern/core/auth";
import { sendingKeyOf } from "@postern/core/send";
import { Effect, type Result } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { Visit } from "../../../../Visit.ts";
import { HOUR, MINUTE, SECOND } from "../../durations.ts";
import type { Act } from "../walk.ts";
import type { WalkedKey, WalkedKeys, WalkedMessage } from "./walked-keys.ts";

const NETWORK = "192.0.2.80";
const APPLICATIONS = ["walk-one", "walk-two"] as const;
const TICK = 10;
/** A time longer than a released message needs to be sent. */
const SENT = 6 * SECOND;
type Profile = Parameters<Keys["Service"]["changeApplication"]>[1];
type Changes = Partial<Omit<ServiceKey, "id" | "application" | "createdAt" | "lastUsedAt" | "suspendedAt">>;

/** What an operator does with keys and applications, and what their holders send. */
export const keyActs = (visit: Visit, cluster: Cluster, all: WalkedKeys): ReadonlyArray<Act> => {
  const { random } = cluster;
  const { keys, messages, suspended, profiles, audit, live } = all;
  const pick = () => random.pick(live())!;
  const done = (operation: string, target: string) => {
    audit.push([operation, target, visit.now]);
    // Entries of one instant have no order.
    return visit.wait(TICK);
  };
  const tagOf = (answer: Result.Result<unknown, { readonly _tag: string }>) =>
    answer._tag === "Success" ? "Answered" : answer.failure._tag;
  const drawChanges = (): Changes =>
    random.pick<Changes>([
      { name: `Key ${random.between(0, 9)}` },
      {
        scopes: random.pick<ServiceKey["scopes"]>([
          ["mail:read"],
          ["mail:send", "events"],
          ["mail:send", "mail:draft"],
        ]),
      },
      { accounts: random.pick([null, ["*@sim.test"], ["tag:a"]]) },
      { networks: random.pick([null, [NETWORK], ["192.0.2.81"]]) },
      { expiresAt: random.pick([null, visit.now + random.between(1, 30) * HOUR]) },
      { sendPerDay: random.pick([null, 100]), notify: null },
      { sendPolicy: random.pick([null, { to: ["@far.test"], approval: "never" as const }]) },
      { notify: random.pick([null, "owner@far.test"]), name: "Notified" },
    ]);

  const make = Effect.gen(function* () {
    const application = random.pick(APPLICATIONS);
    const changes = drawChanges();
    const { key, text } = yield* all.make(application, { ...changes, sendPolicy: changes.sendPolicy ?? null });
    keys.push({ key: { ...key, ...changes }, text, isGone: false, usedAt: null });
    yield* visit.wait(TICK);
  });
  const change = Effect.gen(function* () {
    const [one, changes, isWanted] = [pick(), drawChanges(), random.chance(0.85)];
    const tag = tagOf(yield* all.as((use) => use.change(one.key.id, changes, () => isWanted)));
    visit.same(tag, isWanted ? "Answered" : "KeyChanged", "a change of a key");
    if (!isWanted) return;
    one.key = { ...one.key, ...changes };
    yield* done("keys.change", one.key.id);
  });
  const changeWrongly = Effect.gen(function* () {
    const one = pick();
    const wrong = random.pick<Changes>([{ expiresAt: visit.now - HOUR }, { scopes: [] }, { notify: "no address" }]);
    visit.same(
      tagOf(yield* all.as((use) => use.change(one.key.id, { ...wrong, name: "no" }))),
      "InputInvalid",
      "a wrong change",
    );
  });
  const isLate = ({ at }: WalkedMessage) => at - visit.now < MINUTE;
  const waiting = () => messages.filter((one) => !one.isCancelled && !one.isSent);
  const endOne = (one: WalkedKey, mail: "keep" | "hold" | "cancel") => {
    one.isGone = true;
    for (const message of waiting()) {
      if (message.key !== one) continue;
      if (mail === "keep") message.key = null;
      if (mail === "hold") message.isHeld = true;
      if (mail === "cancel") message.isCancelled = true;
    }
  };
  const remove = Effect.gen(function* () {
    const one = pick();
    const mail = random.pick(["hold", "hold", "keep", "cancel"] as const);
    if (suspended.has(one.key.application) || waiting().some((message) => message.key === one && isLate(message)))
      return;
    const isWanted = random.chance(0.9);
    const tag = tagOf(yield* all.as((use) => use.remove(one.key.id, mail, () => isWanted)));
    visit.same(tag, isWanted ? "Answered" : "KeyChanged", "the end of a key");
    if (!isWanted) return;
    endOne(one, mail);
    yield* done("keys.remove", one.key.id);
    visit.same(tagOf(yield* all.as((use) => use.remove(one.key.id))), "KeyNotFound", "the second end of a key");
  });
  const suspend = Effect.gen(function* () {
    const name = random.pick(live())!.key.application;
    const its = waiting().filter(({ key, isHeld }) => key?.key.application === name && !isHeld);
    // A message that is due may already be sent.
    if (!suspended.has(name) && its.some(({ at }) => visit.now > at - SECOND)) return;
    visit.same(tagOf(yield* all.as((use) => use.suspend(name))), "Answered", "a suspension");
    suspended.add(name);
    yield* done("keys.suspend", name);
  });
  const resume = Effect.gen(function* () {
    const name = random.pick(live())!.key.application;
    visit.same(tagOf(yield* all.as((use) => use.resume(name))), "Answered", "the end of a suspension");
    suspended.delete(name);
    yield* done("keys.resume", name);
    yield* visit.wait(25 * SECOND);
  });
  const profile = Effect.gen(function* () {
    const name = random.pick(live())!.key.application;
    const changes = random.pick<Profile>([
      { displayName: `Shown ${random.between(0, 9)}` },
      { purpose: "sends mail", colour: "#0c5c4f" },
      { purpose: null },
      { notify: "application@far.test", displayName: null },
    ]);
    const isWanted = random.chance(0.85);
    const tag = tagOf(yield* all.as((use) => use.changeApplication(name, changes, () => isWanted)));
    visit.same(tag, isWanted ? "Answered" : "ApplicationChanged", "a change of an application");
    if (!isWanted) return;
    const before = profiles.get(name) ?? { displayName: null, purpose: null, colour: null, logo: null, notify: null };
    profiles.set(name, { ...before, ...changes });
    yield* done("keys.changeApplication", name);
  });
  const removeApplication = Effect.gen(function* () {
    const name = random.pick(live())!.key.application;
    const mail = random.pick(["cancel", "hold"] as const);
    const its = live().filter(({ key }) => key.application === name);
    if (waiting().some((one) => one.key !== null && one.key.key.application === name && (isLate(one) || one.isHeld)))
      return;
    const answer = yield* all.as((use) => use.removeApplication(name, mail));
    if (answer._tag === "Failure") return visit.expect(false, `the end of an application is ${answer.failure._tag}`);
    visit.same(
      [...answer.success.keys].toSorted(),
      its.map(({ key }) => key.id).toSorted(),
      "the keys of an application",
    );
    for (const one of its) endOne(one, mail);
    suspended.delete(name);
    profiles.delete(name);
    yield* done("keys.removeApplication", name);
  });
  const use = Effect.gen(function* () {
    const one = random.pick(keys.slice(-6));
    if (one === undefined) return;
    const { networks, expiresAt, application } = one.key;
    const network = random.pick([NETWORK, "192.0.2.81"]);
    if (expiresAt !== null && Math.abs(visit.now - expiresAt) < SECOND) return;
    const tag = yield* all.present(one.text, network);
    const isOver = one.isGone || (expiresAt !== null && visit.now >= expiresAt);
    const isElsewhere = networks !== null && !networks.includes(network);
    const scope = random.pick(["mail:read", "mail:send"] as const);
    const isAllowed = !isOver && !isElsewhere && one.key.scopes.includes(scope);
    const kept = !isAllowed ? "none" : suspended.has(application) ? "ApplicationSuspended" : "accepted";
    visit.same(yield* all.recheck(one.key.id, scope, network), kept, "a key whose request waits");
    if (isOver) return visit.expect(tag === "KeyRejected" || tag === "TooManyWrongKeys", `a key that ended is ${tag}`);
    const promise = isElsewhere
      ? "KeyNetworkRefused"
      : suspended.has(application)
        ? "ApplicationSuspended"
        : "accepted";
    visit.same(tag, promise, "a key");
    if (promise === "accepted") one.usedAt = visit.now;
  });
  let names = 0;
  const send = Effect.gen(function* () {
    const one = pick();
    if (suspended.has(one.key.application)) return;
    const [name, at] = [`walked-${++names}`, visit.now + random.between(1, 30) * HOUR];
    const id = yield* all.send(name, at, { ...sendingKeyOf(one.key), policy: null });
    messages.push({ id, name, key: one, at, isHeld: false, isCancelled: false, isSent: false });
  });
  const release = Effect.gen(function* () {
    const one = random.pick(waiting().filter(({ isHeld }) => isHeld));
    if (one === undefined) return;
    visit.same(yield* all.release(one.id), "Answered", "the release of a held message");
    one.isHeld = false;
    one.key = null;
    yield* visit.wait(SENT);
    // Its sending takes a moment after its due time.
    if (visit.now > one.at + SECOND) one.isSent = true;
  });

  const act = (
    name: string,
    weight: number,
    run: Effect.Effect<unknown, unknown>,
    isPossible = () => live().length > 0,
  ) => ({
    name,
    weight,
    isPossible,
    run: Effect.andThen(run, all.compare),
  });
  return [
    act("make a key", 3, make, () => live().length < 6),
    act("change a key", 5, change),
    act("change a key wrongly", 1, changeWrongly),
    act("delete a key", 2, remove),
    act("suspend", 2, suspend),
    act("resume", 2, resume),
    act("change an application", 2, profile),
    act("delete an application", 1, removeApplication),
    act("use a key", 5, use),
    act("send by a key", 4, send),
    act("release a message", 2, release),
  ];
};
