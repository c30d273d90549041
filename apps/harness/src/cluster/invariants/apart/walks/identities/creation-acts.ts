import { Identities, MessageSender, Outbox } from "@postern/core/send";
import { Context, Effect } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { Visit } from "../../../../Visit.ts";
import { DAY } from "../../durations.ts";
import type { Act } from "../walk.ts";
import { drawFields } from "./draw-fields.ts";
import type { WalkedIdentities, WalkedIdentity } from "./walked-identities.ts";

type Alias = Parameters<Identities["Service"]["create"]>[1];

const MOST = 100;
const WRONG: ReadonlyArray<Partial<Alias>> = [
  { address: "no address" },
  { address: "two@far.test, three@far.test" },
  { name: "two\nlines" },
  { replyTo: "no address" },
  { signatureText: "x".repeat(65_537) },
];

/** Aliases that are added, also at the end of a quota: only a link that is mailed counts. [S12.2-1] [S12.2-7] [S12.2-10] [S12.2-11] */
export const creationActs = (visit: Visit, cluster: Cluster, walked: WalkedIdentities): ReadonlyArray<Act> => {
  const { random } = cluster;
  const { account, others, audit, tagOf, ask } = walked;
  let count = 0;
  const draw = () => `alias-${random.between(0, 9)}@${random.pick(["far.test", "far.test", "FAR.test"])}`;
  const refusals = (address: string, isTrusted: boolean, isDefault: boolean) => [
    ...(isDefault && !isTrusted ? ["IdentityUnverified"] : []),
    ...(walked.find(address) === undefined ? [] : ["IdentityExists"]),
    ...(others.length >= MOST ? ["TooManyIdentities"] : []),
    ...(!isTrusted && walked.left() === 0 ? ["SendRateExceeded"] : []),
  ];
  const add = (alias: Alias, id: string, isTrusted: boolean, at: number) =>
    Effect.gen(function* () {
      const { isDefault = false, ...fields } = alias;
      const one: WalkedIdentity = {
        name: "",
        replyTo: null,
        signatureText: "",
        signatureHtml: "",
        ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)),
        address: fields.address.toLowerCase(),
        id,
        isDefault: false,
        verified: isTrusted,
        link: null,
      };
      others.push(one);
      if (isDefault) walked.prefer(one);
      yield* audit.promise("identities.create", id);
      if (isTrusted) return;
      walked.count(at);
      yield* walked.awaitLink(one, at, links.get(one.address) ?? 0);
      links.set(one.address, (links.get(one.address) ?? 0) + 1);
    });
  /** The links that were mailed to each address before. */
  const links = new Map<string, number>();

  const create = (alias: Alias, isTrusted: boolean, twice: boolean) =>
    Effect.gen(function* () {
      const at = visit.now;
      const isSure = isTrusted || walked.left() !== undefined;
      const refused = refusals(alias.address, isTrusted, alias.isDefault === true);
      const key = random.chance(0.3) ? { caller: account, key: `identity ${++count}`, account } : undefined;
      const one = Effect.result(ask("create", (all) => all.create(account, alias, isTrusted, key)));
      const answers = yield* Effect.all(twice ? [one, one] : [one], { concurrency: 2 });
      const made = answers.flatMap((answer) => (answer._tag === "Success" ? [answer.success] : []));
      const tags = answers.flatMap((answer) => (answer._tag === "Success" ? [] : [answer.failure._tag]));
      if (refused.length > 0 || (made.length === 0 && !isSure)) {
        visit.expect(
          made.length === 0 && tags.every((tag) => refused.includes(tag) || (!isSure && tag === "SendRateExceeded")),
          `${alias.address} is added with ${tags.join() || "success"}, not ${refused.join(" or ")}`,
        );
        return;
      }
      visit.same(new Set(made.map(({ id }) => id)).size, 1, `the identities that requests for ${alias.address} make`);
      const fair = key === undefined ? ["IdentityExists", "SendRateExceeded"] : ["CreationInProgress"];
      visit.expect(
        made.length > 0 && tags.every((tag) => twice && fair.includes(tag)),
        `${alias.address} is added with ${tags.join()}`,
      );
      if (made[0] === undefined) return;
      yield* add(alias, made[0].id, isTrusted, at);
      if (key === undefined) return;
      const again = yield* ask("repeat", (all) => all.create(account, alias, isTrusted, key));
      visit.same(again.id, made[0].id, "an identity whose creation is repeated");
    });
  const createOne = Effect.suspend(() => {
    const isTrusted = random.chance(0.4);
    const address = random.chance(0.15) ? account.toUpperCase() : draw();
    const isDefault = random.chance(0.2) ? { isDefault: true } : {};
    return create({ address, ...drawFields(random), ...isDefault }, isTrusted, random.chance(0.25));
  });
  const createWrong = Effect.gen(function* () {
    const wrong = random.pick(WRONG)!;
    const alias = { address: `wrong-${++count}@far.test`, ...wrong };
    const tag = yield* tagOf("create", (all) => all.create(account, alias, random.chance(0.5)));
    visit.same(tag, "InputInvalid", `an alias with ${JSON.stringify(wrong).slice(0, 60)}`);
  });
  /** Sends messages until so many mails are left in this minute; returns whether that is certain. */
  const useUpTo = (rest: number) =>
    Effect.gen(function* () {
      for (let left = walked.left(); left !== undefined && left > rest; left = walked.left()) {
        const at = visit.now;
        const request = { to: "one@far.test", subject: "x", text: "x", sendAt: new Date(at + DAY).toISOString() };
        const { id } = yield* visit.ask("send", (services) =>
          Context.get(services, MessageSender).send(account, request, undefined),
        );
        walked.count(at);
        yield* visit.ask("cancel", (services) => Context.get(services, Outbox).cancel(account, id));
      }
      return walked.left() === rest;
    });
  /** Requests for aliases that are refused mail nothing, and do not count. */
  const createInVain = Effect.gen(function* () {
    if (!(yield* useUpTo(random.pick([0, 1, 1])))) return;
    for (let tries = random.between(1, 4); tries > 0; tries--) {
      const known = random.pick(walked.all())!;
      const [address, isDefault] = random.pick([
        [known.address, false],
        [`in-vain-${++count}@far.test`, true],
      ] as const);
      yield* create({ address, isDefault }, false, random.chance(0.3));
    }
    yield* create({ address: `last-of-minute-${++count}@far.test` }, false, random.chance(0.3));
    yield* create({ address: `too-many-${++count}@far.test` }, false, false);
    yield* create({ address: `trusted-${++count}@far.test` }, true, false);
  });
  const fill = Effect.gen(function* () {
    const added: Array<WalkedIdentity> = [];
    while (others.length < MOST - 1) {
      yield* create({ address: `many-${++count}@far.test` }, true, false);
      added.push(others.at(-1)!);
    }
    const both = [`last-${++count}@far.test`, `last-${++count}@far.test`].map((address) =>
      Effect.result(ask("create", (all) => all.create(account, { address }, true))),
    );
    const answers = yield* Effect.all(both, { concurrency: 2 });
    const made = answers.flatMap((answer) => (answer._tag === "Success" ? [answer.success] : []));
    visit.same(made.length, 1, "how many of two aliases at once are added to 99");
    for (const { address, id } of made) yield* add({ address }, id, true, visit.now);
    yield* createOne;
    for (const one of [...added, others.at(-1)!]) yield* walked.remove(one);
  });

  const act = (name: string, weight: number, run: Effect.Effect<unknown, unknown>, isPossible = () => true): Act => ({
    name,
    weight,
    isPossible,
    run: Effect.andThen(run, walked.compare),
  });
  const isFilled = visit.pickInTurn([true, false, false, false]);
  return [
    act("add an alias", 6, createOne),
    act("add a wrong alias", 1, createWrong),
    act("ask in vain for aliases", 2, createInVain),
    act("add as many as possible", 1, fill, () => isFilled),
  ];
};
