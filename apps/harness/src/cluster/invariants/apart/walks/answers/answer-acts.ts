import { Drafts, DraftSender } from "@postern/core/drafts";
import { MessageSender } from "@postern/core/send";
import { Context, Effect } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { Visit } from "../../../../Visit.ts";
import { SECOND } from "../../durations.ts";
import type { Act } from "../walk.ts";
import type { WalkedOriginal, WalkedOriginals } from "./walked-originals.ts";

type Request = Parameters<MessageSender["Service"]["send"]>[1];

/** The time until a message has arrived, and until the original is marked as answered. */
const SENT = 500;
const MARKED = 8 * SECOND;

/** What is promised of a message: its header fields, its text and its files. */
interface Promised {
  to: string;
  subject: string;
  inReplyTo: string | undefined;
  references: string | undefined;
  /** What the text contains. */
  readonly texts: ReadonlyArray<string>;
  files: ReadonlyArray<string>;
}

/** Answers and forwards, at once and as drafts, with any of the fields that they may omit. [S6.2-8] [S6.2-10] [S12.4-1] to [S12.4-5] */
export const answerActs = (
  visit: Visit,
  cluster: Cluster,
  originals: WalkedOriginals,
  stranger: WalkedOriginals,
): ReadonlyArray<Act> => {
  const { random } = cluster;
  const { account } = originals;
  let count = 0;
  const tagged = <A, E extends { readonly _tag: string }>(effect: Effect.Effect<A, E>) =>
    Effect.map(Effect.result(effect), (is) =>
      is._tag === "Success" ? { tag: "Answered", done: is.success } : { tag: is.failure._tag, done: undefined },
    );
  const send = (request: Request) =>
    tagged(visit.ask("send", (services) => Context.get(services, MessageSender).send(account, request, undefined)));
  const drafts = <A, E>(use: (all: Drafts["Service"]) => Effect.Effect<A, E>) =>
    visit.ask("drafts", (services) => use(Context.get(services, Drafts)));
  const sendDraft = (id: string) =>
    tagged(
      visit.ask("send a draft", (services) =>
        Context.get(services, DraftSender).send(account, id, undefined, undefined),
      ),
    );

  /** Writes an answer or a forward that omits some fields, and what is promised of it. */
  const write = (one: WalkedOriginal, isForward: boolean) => {
    const file = `own file ${++count}`;
    const own: Request = {
      to: `chosen-${count}@far.test`,
      subject: `chosen ${count}`,
      ...(random.chance(0.5) ? { text: `own text ${count}` } : { html: `<p>own text ${count}</p>` }),
      inReplyTo: `<chosen-${count}@far.test>`,
      references: [`<chosen-root-${count}@far.test>`],
      force: true,
      attachments: [{ content: Buffer.from(file).toString("base64"), name: "own.txt" }],
    };
    const chosen: Request = Object.fromEntries(random.some(Object.entries(own), random.between(0, 5)));
    // Only an answer has recipients by itself.
    const request: Request = {
      ...chosen,
      ...(isForward ? { to: chosen.to ?? own.to, forwardOf: one.id } : { replyToMessageId: one.id }),
    };
    const prefixed = isForward
      ? one.subject.startsWith("Fwd: ")
        ? one.subject
        : `Fwd: ${one.subject}`
      : /^re: /i.test(one.subject)
        ? one.subject
        : `Re: ${one.subject}`;
    const lacksText = request.text === undefined && request.html === undefined;
    const quoted = one.lines.filter((line) => line !== "" && !line.startsWith(">")).map((line) => `\n> ${line}`);
    const promised: Promised = {
      to: typeof request.to === "string" ? request.to : one.to,
      subject: request.subject ?? prefixed,
      inReplyTo: request.inReplyTo ?? (isForward ? undefined : one.messageId),
      references:
        request.references !== undefined
          ? String(request.references)
          : isForward
            ? undefined
            : [...one.references, one.messageId].join(" "),
      texts: lacksText
        ? isForward
          ? [`Subject: ${one.subject}`, ...one.lines.filter((line) => line !== "")]
          : quoted
        : [`own text ${count}`],
      files: [...(request.attachments === undefined ? [] : [file]), ...(isForward ? one.files : [])],
    };
    return { request, promised };
  };
  const compare = (id: string, { to, subject, inReplyTo, references, texts, files }: Promised, what: string) =>
    Effect.gen(function* () {
      yield* visit.wait(SENT);
      const taken = cluster.smtp.taken.filter(({ envelopeId }) => envelopeId === id);
      const raw = new TextDecoder().decode(taken[0]?.raw);
      const header = (name: string) => new RegExp(`^${name}: (.*)\r$`, "m").exec(raw)?.[1];
      visit.same(
        [taken.length, ...["To", "Subject", "In-Reply-To", "References"].map(header)],
        [1, to, subject, inReplyTo, references],
        `the copies and the fields of ${what}`,
      );
      const body = raw.slice(raw.indexOf("\r\n\r\n") + 4).replaceAll("\r\n", "\n");
      for (const text of texts) visit.expect(body.includes(text), `${what} does not contain ${JSON.stringify(text)}`);
      const end = files.join("");
      visit.expect(body.replaceAll("\n", "").endsWith(end.replaceAll("\n", "")), `${what} does not end with ${end}`);
    });
  /** What a request is refused with, if it must be. */
  const refusal = (one: WalkedOriginal, isForward: boolean, request: Request) =>
    one.isGone
      ? "InputInvalid"
      : !isForward && one.isAutomatic && request.force !== true
        ? "AutomaticMessage"
        : "Answered";
  const follow = (one: WalkedOriginal, isForward: boolean, wasAnswered: boolean) =>
    isForward
      ? Effect.sync(() => visit.same(originals.isAnswered(one), wasAnswered, "whether a forward marks its original"))
      : visit.within(MARKED, `${one.subject} is not marked as answered`, () => one.isGone || originals.isAnswered(one));

  const answer = Effect.gen(function* () {
    const [one, isForward] = [random.pick(originals.all)!, random.chance(0.4)];
    const { request, promised } = write(one, isForward);
    const wasAnswered = originals.isAnswered(one);
    const { tag, done } = yield* send(request);
    const what = `${isForward ? "a forward" : "an answer"} of ${JSON.stringify(one.subject)}`;
    visit.same(tag, refusal(one, isForward, request), what);
    if (done === undefined)
      return visit.same(originals.isAnswered(one), wasAnswered, `whether a refused one marks its original`);
    yield* compare(done.id, promised, what);
    yield* follow(one, isForward, wasAnswered);
  });
  const draft = Effect.gen(function* () {
    const [one, isForward] = [random.pick(originals.all)!, random.chance(0.4)];
    const { request, promised } = write(one, isForward);
    const what = `the draft of ${isForward ? "a forward" : "an answer"} of ${JSON.stringify(one.subject)}`;
    const made = yield* tagged(drafts((all) => all.create(account, request)));
    visit.same(made.tag, one.isGone ? "InputInvalid" : "Answered", what);
    if (made.done === undefined) return;
    const { id, version, contents } = made.done;
    visit.same(contents.attachments.length, promised.files.length, `the number of files of ${what}`);
    let force = request.force;
    if (random.chance(0.5)) {
      // A later save fills in only In-Reply-To and References, from the message that the draft answers.
      force = random.chance(0.5) ? true : undefined;
      const next: Request = {
        to: "saved@far.test",
        subject: `saved ${count}`,
        text: "saved text",
        ...(force === true && { force }),
        ...(isForward ? {} : { replyToMessageId: one.id }),
        attachments: contents.attachments.map(({ uploadId }) => ({ id: uploadId })),
      };
      const saved = yield* drafts((all) => all.save(account, id, String(version), next));
      const { inReplyTo, references } = saved.contents;
      // A forward answers no message. Of an answer with references of its own, the specification does not say what it keeps.
      if (isForward) Object.assign(promised, { inReplyTo: undefined, references: undefined });
      else if (request.inReplyTo !== undefined || request.references !== undefined)
        Object.assign(promised, { inReplyTo: inReplyTo ?? undefined, references: references.join(" ") });
      visit.same(
        [inReplyTo, references],
        [promised.inReplyTo ?? null, promised.references?.split(" ") ?? []],
        `In-Reply-To and References of ${what} after a save`,
      );
      Object.assign(promised, { to: "saved@far.test", subject: `saved ${count}`, texts: ["saved text"] });
    }
    if (random.chance(0.2) && !one.isGone) originals.expunge(one);
    const wasAnswered = originals.isAnswered(one);
    const { tag, done } = yield* sendDraft(id);
    // The specification does not say whether an answer can be sent without its original.
    if (isForward || !one.isGone)
      visit.same(tag, isForward ? "Answered" : refusal(one, isForward, { force }), `sending ${what}`);
    if (done === undefined) return yield* drafts((all) => all.remove(account, id));
    yield* compare(done.id, promised, what);
    yield* follow(one, isForward, wasAnswered);
  });
  const refuse = Effect.gen(function* () {
    const one = random.pick(originals.present())!;
    const foreign = stranger.all[0]!.id;
    const request = random.pick<Request>([
      { replyToMessageId: one.id, forwardOf: one.id, text: "both" },
      { replyToMessageId: foreign, text: "foreign" },
      { forwardOf: foreign, to: "reader@far.test" },
      { replyToMessageId: "unknown", to: "reader@far.test", subject: "unknown", text: "unknown" },
      { forwardOf: one.id },
    ]);
    visit.same((yield* send(request)).tag, "InputInvalid", `a request with ${JSON.stringify(request)}`);
  });
  const tooMany = Effect.gen(function* () {
    const one = random.pick(originals.present().filter(({ files }) => files.length > 0))!;
    const most = 20 - one.files.length;
    const isTooMany = random.chance(0.5);
    const content = Buffer.from("x").toString("base64");
    const attachments = Array.from({ length: most + (isTooMany ? 1 : 0) }, () => ({ content, name: "x.txt" }));
    const { tag } = yield* send({ forwardOf: one.id, to: "reader@far.test", attachments });
    visit.same(
      tag,
      isTooMany ? "MessageTooLarge" : "Answered",
      `a forward with ${attachments.length + one.files.length} files`,
    );
  });
  const act = (name: string, weight: number, run: Effect.Effect<unknown, unknown>, isPossible = () => true): Act => ({
    name,
    weight,
    isPossible,
    run: Effect.andThen(visit.wait(4 * SECOND), run),
  });
  const hasOne = () => originals.all.length > 0;
  return [
    act("a message arrives", 3, originals.arrive, () => originals.all.length < 6),
    act("answer or forward", 6, answer, hasOne),
    act("answer or forward by a draft", 5, draft, hasOne),
    act("answer what cannot be answered", 1, refuse, () => originals.present().length > 0),
    act("forward many files", 1, tooMany, () => originals.present().some(({ files }) => files.length > 0)),
    act(
      "another program deletes an original",
      1,
      Effect.sync(() => originals.expunge(random.pick(originals.present())!)),
      () => originals.present().length > 1,
    ),
  ];
};
