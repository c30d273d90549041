import { MessageSender, Outbox, type SendingKey } from "@postern/core/send";
import type { AccountId } from "@postern/core/shared";
import { Context, Effect } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { Visit } from "../../../../Visit.ts";
import { SIZE } from "../../../../servers/smtp-replies.ts";
import { DAY, SECOND } from "../../durations.ts";
import type { Act } from "../walk.ts";
import { ModelMessage } from "./ModelMessage.ts";
import type { OutboxModel } from "./OutboxModel.ts";
import { LIFETIMES, type Request, writeRequest, wrongFields } from "./written-requests.ts";

/** A request with a key that was answered. */
interface Keyed {
  readonly account: AccountId;
  readonly key: string;
  readonly at: number;
  readonly request: Request;
  readonly answer: string;
}

const MOST_BYTES = 35 * 1_048_576;
const KEY_LIFE = DAY;
const EDGE = 5 * SECOND;

/** The acts of the clients that send, repeat requests, and ask for the limits. [S6.4] [S6.5] */
export const sendingActs = (visit: Visit, cluster: Cluster, model: OutboxModel): ReadonlyArray<Act> => {
  const { random } = cluster;
  const keyed: Array<Keyed> = [];
  let count = 0;

  const requestOf = () => writeRequest(random, ++count, visit.now);

  const ask = (account: AccountId, request: Request, key: string | undefined, by: SendingKey | null) =>
    Effect.result(
      visit.ask(`send ${request.subject}`, (services) =>
        Context.get(services, MessageSender).send(account, request, key, by),
      ),
    );
  const textOf = (answer: Effect.Success<ReturnType<typeof ask>>) =>
    JSON.stringify(answer._tag === "Success" ? answer.success : [answer.failure._tag, { ...answer.failure }]);

  /** Compares the limit of a message with the SIZE that an attempt of the account saw. [S6.4-21] */
  const compareLimits = (account: AccountId) =>
    Effect.map(
      visit.ask("ask for the limits", (services) => Context.get(services, MessageSender).limits(account)),
      ({ maxMessageBytes }) =>
        visit.same(
          maxMessageBytes,
          model.messages.some((one) => one.account === account && one.sawSize) ? SIZE : MOST_BYTES,
          "the limit of a message",
        ),
    );

  /** Records a message that was journaled, follows its first attempt, and compares the answer. */
  const accepted = (
    account: AccountId,
    { to, subject, sendAt, expiresAfter }: Request,
    by: SendingKey | null,
    answer: Effect.Success<ReturnType<typeof ask>>,
    at: number,
  ) =>
    Effect.gen(function* () {
      const page = yield* visit.ask("find what was sent", (services) =>
        Context.get(services, Outbox).page(account, {}),
      );
      const mine = page.items.filter(({ message }) => message.subject === subject);
      visit.same(mine.length, 1, `the messages that a request to send ${subject} made`);
      if (mine.length !== 1) return;
      const { id, messageId } = mine[0]!.message;
      const planned = sendAt === undefined || Date.parse(sendAt) <= at ? null : Date.parse(sendAt);
      const lifetime = LIFETIMES[expiresAfter as keyof typeof LIFETIMES] ?? 4 * DAY;
      const author = by === null ? null : { key: by.id, application: by.application };
      const message = new ModelMessage({
        id,
        account,
        subject: subject!,
        messageId,
        at,
        scheduledFor: planned,
        lifetime,
        author,
        to: to as ReadonlyArray<string>,
      });
      model.messages.push(message);
      model.count(account, by, at);
      yield* visit.wait(SECOND);
      model.observe();
      if (message.sawSize) yield* compareLimits(account);
      const rejected = message.recipients.flatMap(({ address, reply }) =>
        reply === 4 || reply === 5 ? [address] : [],
      );
      const state = planned === null ? message.state : "scheduled";
      const promised =
        state === "failed"
          ? [message.refusal ?? "RecipientRefused", id]
          : state === "unknown"
            ? ["SendOutcomeUnknown", id]
            : [state, id];
      const found =
        answer._tag === "Success"
          ? [answer.success.status, answer.success.id]
          : [answer.failure._tag, "id" in answer.failure ? answer.failure.id : null];
      visit.same(found, promised, `the answer to a request to send ${subject}`);
      const refused =
        answer._tag === "Success"
          ? answer.success.rejected
          : "rejected" in answer.failure
            ? answer.failure.rejected
            : [];
      if (state !== "unknown")
        visit.same(
          refused.map(({ recipient }) => recipient).toSorted(),
          rejected.toSorted(),
          `the recipients that the answer about ${subject} names`,
        );
    });

  /** Whether an answer tells that a quota is exceeded. */
  const isBeyondQuota = (answer: Effect.Success<ReturnType<typeof ask>>) =>
    answer._tag === "Failure" &&
    (answer.failure._tag === "SendRateExceeded" || answer.failure._tag === "KeySendRateExceeded");
  /** Whether a request counts as accepted. Near the limit of a quota, only the answer tells; the server may refuse what was accepted. */
  const countsAsAccepted = (excess: string | null | undefined, answer: Effect.Success<ReturnType<typeof ask>>) =>
    excess === null || (excess === undefined && !isBeyondQuota(answer));

  const send = (key: string | undefined) =>
    Effect.gen(function* () {
      const account = random.pick(model.accounts)!;
      const by = random.pick([null, ...model.usable, ...model.usable])!;
      const request = requestOf();
      const at = visit.now;
      const excess = model.excess(account, by, at);
      const answer = yield* ask(account, request, key, by);
      const tag = answer._tag === "Success" ? null : answer.failure._tag;
      if (excess !== undefined && excess !== null) return visit.same(tag, excess, "a message beyond a quota");
      if (!countsAsAccepted(excess, answer)) return;
      yield* accepted(account, request, by, answer, at);
      if (key !== undefined) keyed.push({ account, key, at, request, answer: textOf(answer) });
    });

  const alive = () => keyed.filter(({ at }) => Math.abs(at + KEY_LIFE - visit.now) > EDGE);

  return [
    { name: "send", weight: 6, run: Effect.suspend(() => send(undefined)) },
    { name: "send with a key", weight: 4, run: Effect.suspend(() => send(`key-${count}`)) },
    {
      name: "repeat a request",
      weight: 3,
      isPossible: () => alive().length > 0,
      run: Effect.gen(function* () {
        const one = random.pick(alive())!;
        const { account, key, at, request } = one;
        const isOther = random.chance(0.3);
        const isForeign = random.chance(0.2);
        const asked = isOther ? { ...request, text: "another" } : request;
        if (isForeign || visit.now > at + KEY_LIFE) return;
        const answer = yield* ask(account, asked, key, random.pick([null, ...model.usable])!);
        if (isOther)
          return visit.same(
            answer._tag === "Success" ? "sent" : answer.failure._tag,
            "IdempotencyKeyReused",
            "another body under a used key",
          );
        visit.same(textOf(answer), one.answer, `the answer to a repeated request to send ${request.subject}`);
      }),
    },
    {
      name: "use a key again after a day, or elsewhere",
      weight: 2,
      isPossible: () => keyed.length > 0,
      run: Effect.gen(function* () {
        const old = keyed.filter(({ at }) => visit.now > at + KEY_LIFE + EDGE);
        const chosen = random.pick(old.length > 0 && random.chance(0.7) ? old : keyed)!;
        const isOld = old.includes(chosen);
        const account = isOld ? chosen.account : model.accounts.find((one) => one !== chosen.account)!;
        if (!isOld && keyed.some((one) => one.account === account && one.key === chosen.key)) return;
        const request = requestOf();
        const at = visit.now;
        const excess = model.excess(account, null, at);
        const answer = yield* ask(account, request, chosen.key, null);
        const isAccepted = countsAsAccepted(excess, answer);
        if (isAccepted) yield* accepted(account, request, null, answer, at);
        if (isOld) keyed.splice(keyed.indexOf(chosen), 1);
        if (isAccepted) keyed.push({ account, key: chosen.key, at, request, answer: textOf(answer) });
      }),
    },
    {
      name: "send a wrong request",
      run: Effect.gen(function* () {
        const wrong = wrongFields(random, visit.now);
        const { sendAt: _, ...request } = requestOf();
        const key = `wrong-${count}`;
        const account = random.pick(model.accounts)!;
        const answer = yield* ask(account, { ...request, ...wrong }, key, null);
        visit.same(
          answer._tag === "Success" ? "sent" : answer.failure._tag,
          "InputInvalid",
          `sending ${JSON.stringify(wrong)}`,
        );
        const at = visit.now;
        const excess = model.excess(account, null, at);
        const right = yield* ask(account, request, key, null);
        if (countsAsAccepted(excess, right)) yield* accepted(account, request, null, right, at);
      }),
    },
    {
      name: "ask for the limits",
      run: Effect.suspend(() => compareLimits(random.pick(model.accounts)!)),
    },
    {
      name: "send twice at once",
      run: Effect.gen(function* () {
        const account = random.pick(model.accounts)!;
        const request = requestOf();
        const key = `twice-${count}`;
        const at = visit.now;
        if (model.excess(account, null, at) !== null) return;
        const both = yield* Effect.all([ask(account, request, key, null), ask(account, request, key, null)], {
          concurrency: 2,
        });
        const isBusy = (one: (typeof both)[number]) => one._tag === "Failure" && one.failure._tag === "SendInProgress";
        const [first, second] = isBusy(both[0]) ? [both[1], both[0]] : both;
        visit.expect(!isBusy(first), "two requests at once with one key are both refused");
        if (!isBusy(second))
          visit.same(textOf(second), textOf(first), "the answers to two requests at once with one key");
        yield* accepted(account, request, null, first, at);
        keyed.push({ account, key, at, request, answer: textOf(first) });
      }),
    },
  ];
};
