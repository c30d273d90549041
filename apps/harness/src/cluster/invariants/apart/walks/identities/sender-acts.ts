import { Identities, MessageSender } from "@postern/core/send";
import { AccountChanges } from "@postern/core/lifecycle";
import { Context, Effect, Option } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { Visit } from "../../../../Visit.ts";
import { MINUTE, SECOND } from "../../durations.ts";
import type { Act } from "../walk.ts";
import type { WalkedIdentities, WalkedIdentity } from "./walked-identities.ts";

type Request = Parameters<MessageSender["Service"]["send"]>[1];

/** The time until a message has arrived. */
const SENT = 500;
/** The time around the end of a link in which both answers are right. */
const NEAR = 5 * SECOND;

/** Messages from identities, and the links that verify them. [S12.2-4] [S12.2-5] [S12.2-7] [S12.2-8] [S12.2-12] [S12.2-13] */
export const senderActs = (
  visit: Visit,
  cluster: Cluster,
  walked: WalkedIdentities,
  stranger: WalkedIdentities,
): ReadonlyArray<Act> => {
  const { random } = cluster;
  const { account, own, others, ended } = walked;
  let count = 0;

  /** Returns a `from` that means an identity, and the name that From has. */
  const fromOf = ({ id, name, address }: WalkedIdentity): readonly [Request["from"], string] =>
    random.pick([
      [id, name],
      [address, name],
      [{ address }, name],
      [{ name: "Chosen", address }, "Chosen"],
      [`Chosen too <${address.toUpperCase()}>`, "Chosen too"],
    ] as const);
  const send = Effect.gen(function* () {
    const at = visit.now;
    if (walked.left() === undefined || walked.left() === 0) return;
    const isDefault = random.chance(0.25);
    const one = isDefault ? walked.all().find((each) => each.isDefault)! : random.pick([own, ...others, ...others]);
    const [from, name] = isDefault ? [undefined, one.name] : fromOf(one);
    const replyTo = random.chance(0.3) ? "own-choice@far.test" : undefined;
    const request = { to: "reader@far.test", subject: `from ${++count}`, text: "walked", from, replyTo };
    const answer = yield* Effect.result(
      visit.ask("send", (services) => Context.get(services, MessageSender).send(account, request, undefined)),
    );
    if (answer._tag === "Failure")
      return visit.same(
        [answer.failure._tag, one.verified],
        ["SenderNotAllowed", false],
        `a message from ${JSON.stringify(from)}`,
      );
    walked.count(at);
    visit.expect(one.verified, `a message is sent from ${one.address}, which is not verified`);
    yield* visit.wait(SENT);
    const taken = cluster.smtp.taken.find(({ envelopeId }) => envelopeId === answer.success.id);
    const text = new TextDecoder().decode(taken?.raw);
    const header = (field: string) => new RegExp(`^${field}: (.*)\r$`, "m").exec(text)?.[1];
    visit.same(
      [header("From"), header("Reply-To"), taken?.from],
      [name === "" ? one.address : `${name} <${one.address}>`, replyTo ?? one.replyTo ?? undefined, account],
      `From, Reply-To and the envelope's sender of a message from ${JSON.stringify(from)}`,
    );
  });
  const sendWrongly = Effect.gen(function* () {
    const gone = ended.at(-1);
    const left = walked.left();
    const known = new Set(walked.all().map(({ address }) => address));
    const [from, promise] = random.pick([
      ["stranger@far.test", "SenderNotAllowed"],
      [stranger.account, "SenderNotAllowed"],
      ["no address", "InputInvalid"],
      [gone?.id ?? "idn_unknown", "InputInvalid"],
      ...(gone !== undefined && !known.has(gone.address) ? [[gone.address, "SenderNotAllowed"] as const] : []),
    ] as const);
    const request = { to: "reader@far.test", subject: "wrong", text: "walked", from };
    const tag = yield* visit.tagOf("send", (services) =>
      Context.get(services, MessageSender).send(account, request, undefined),
    );
    // Beyond the quota, either fault may be named.
    if (left !== undefined && left > 0) visit.same(tag, promise, `a message from ${from}`);
    else visit.expect(tag !== "Answered", `a message from ${from} is sent`);
  });

  const linked = () => [...others, ...ended].filter(({ link }) => link !== null);
  const useLink = Effect.gen(function* () {
    const one = random.pick(linked())!;
    const { token, until } = one.link!;
    if (Math.abs(until - visit.now) < NEAR) return;
    const isLive = others.includes(one) && visit.now < until && !one.verified;
    const identities = <A, E>(use: (all: Identities["Service"]) => Effect.Effect<A, E>) =>
      visit.ask("link", (services) => use(Context.get(services, Identities)));
    const promise = isLive ? one.address : undefined;
    const shown = yield* identities((all) => all.addressOfLink(token));
    // A link of an address that is verified may still be shown.
    const isVerified = others.includes(one) && one.verified;
    if (!isVerified) visit.same(Option.getOrUndefined(shown), promise, `the page of the link for ${one.address}`);
    if (random.chance(0.4)) return;
    const isTwice = random.chance(0.3);
    const verify = identities((all) => all.verify(token));
    const answers = yield* Effect.all(isTwice ? [verify, verify] : [verify], { concurrency: 2 });
    const verified = answers.flatMap((answer) => Option.toArray(answer));
    if (isVerified) return;
    visit.same(verified.length > 0, isLive, `whether the link for ${one.address} verifies it`);
    visit.expect(
      verified.every((address) => address === one.address),
      "a link verifies another address",
    );
    if (isLive) one.verified = true;
    visit.same(
      Option.isNone(yield* identities((all) => all.verify(`${token.slice(0, -1)}_`))),
      true,
      "whether an invented link verifies nothing",
    );
  });
  const rename = Effect.gen(function* () {
    const name = random.pick([null, "The owner", "Renamed"]);
    yield* visit.ask("rename", (services) => Context.get(services, AccountChanges).change(account, { name }, null));
    own.name = name ?? "";
  });

  const act = (name: string, weight: number, run: Effect.Effect<unknown, unknown>, isPossible = () => true): Act => ({
    name,
    weight,
    isPossible,
    run: Effect.andThen(run, walked.compare),
  });
  return [
    act("send from an identity", 5, send),
    act("send from another address", 2, sendWrongly),
    act("open a link", 5, useLink, () => linked().length > 0),
    act("rename the account", 1, rename),
    { name: "a minute passes", weight: 2, run: Effect.suspend(() => visit.skip(MINUTE + 5 * SECOND)) },
  ];
};
