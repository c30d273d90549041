import type { Identities } from "@postern/core/send";
import { Effect } from "effect";
import { HoldPoint } from "../../../crossings/HoldPoint.ts";
import { serveBeside } from "../../../crossings/serve-beside.ts";
import type { Cluster } from "../../../../Cluster.ts";
import type { Visit } from "../../../../Visit.ts";
import type { Act } from "../walk.ts";
import { drawFields } from "./draw-fields.ts";
import type { WalkedIdentities, WalkedIdentity } from "./walked-identities.ts";

type Fields = Parameters<Identities["Service"]["change"]>[2];

/** Identities that are changed and deleted. [S12.2-2] [S12.2-3] */
export const changeActs = (
  visit: Visit,
  cluster: Cluster,
  walked: WalkedIdentities,
  stranger: WalkedIdentities,
): ReadonlyArray<Act> => {
  const { random } = cluster;
  const { account, own, others, ended, audit, tagOf, ask } = walked;
  let count = 0;
  const change = (one: WalkedIdentity, more: Fields) =>
    Effect.gen(function* () {
      const fields = { ...drawFields(random), ...more };
      const isUnfit = fields.isDefault === true && !one.verified;
      const tag = yield* tagOf("change", (all) => all.change(account, one.id, fields));
      visit.same(tag, isUnfit ? "IdentityUnverified" : "Answered", `a change of ${one.address}`);
      if (isUnfit) return;
      const { isDefault, ...rest } = fields;
      Object.assign(one, rest);
      if (isDefault === true) walked.prefer(one);
      if (isDefault === false && one.isDefault) walked.prefer(null);
      yield* audit.promise("identities.change", one.id);
    });
  const changeOne = Effect.suspend(() =>
    change(random.pick([own, ...others]), random.pick([{}, {}, { isDefault: true }, { isDefault: false }])),
  );
  const refuse = Effect.gen(function* () {
    const one = random.pick([own, ...others]);
    const old = yield* tagOf("change", (all) => all.change(account, one.id, drawFields(random), () => false));
    visit.same(old, "IdentityChanged", "a change of another version of an identity");
    const wrong = random.pick([
      { name: "two\nlines" },
      { replyTo: "no address" },
      { signatureHtml: "x".repeat(65_537) },
    ]);
    visit.same(
      yield* tagOf("change", (all) => all.change(account, one.id, { ...drawFields(random), ...wrong })),
      "InputInvalid",
      "a wrong change of an identity",
    );
    const [foreign] = random.some([...others, ...ended], 1);
    const id = foreign?.id ?? "unknown";
    const tags = [
      yield* stranger.tagOf("change", (all) => all.change(stranger.account, id, { name: "mine" })),
      yield* stranger.tagOf("remove", (all) => all.remove(stranger.account, id)),
      yield* tagOf("change", (all) => all.change(account, ended.at(-1)?.id ?? "unknown", { name: "gone" })),
      yield* tagOf("remove", (all) => all.remove(account, ended.at(-1)?.id ?? "unknown")),
    ];
    for (const tag of tags) visit.same(tag, "IdentityNotFound", "a request about the identity of another account");
    visit.same(
      yield* tagOf("remove", (all) => all.remove(account, own.id)),
      "IdentityOwn",
      "deleting the own identity",
    );
  });
  const hold = new HoldPoint(cluster);
  cluster.listeners.push((call) => hold.see(call));
  /** Two changes of one identity, of different fields, one beside the other: both stay. */
  const changeBeside = Effect.gen(function* () {
    const one = random.pick([own, ...others]);
    const [name, replyTo] = [`Beside ${++count}`, `beside-${count}@far.test`];
    let isDone = false;
    const first = Effect.map(
      ask("change", (all) => all.change(account, one.id, { name })),
      () => (isDone = true),
    );
    const second = ask("change", (all) => all.change(account, one.id, { replyTo }));
    yield* serveBeside(visit, hold, { about: [account], call: random.between(1, 10) }, first, second);
    Object.assign(one, { replyTo }, isDone && { name });
    const found = (yield* ask("list", (all) => all.page(account, {}))).items.find(({ id }) => id === one.id);
    visit.same(
      [found?.name, found?.replyTo],
      [one.name, one.replyTo],
      "an identity of which two requests changed different fields",
    );
    yield* audit.promise("identities.change", one.id);
    if (isDone) yield* audit.promise("identities.change", one.id);
  });

  const act = (name: string, weight: number, run: Effect.Effect<unknown, unknown>, isPossible = () => true): Act => ({
    name,
    weight,
    isPossible,
    run: Effect.andThen(run, walked.compare),
  });
  const hasOthers = () => others.length > 0;
  return [
    act("change an identity", 4, changeOne),
    act("change an identity beside a change", 1, changeBeside),
    act("ask for what cannot be", 2, refuse),
    act(
      "delete an alias",
      1,
      Effect.suspend(() => walked.remove(random.pick(others)!)),
      hasOthers,
    ),
  ];
};
