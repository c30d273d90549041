import { Effect } from "effect";
import type { Invariant } from "../../Invariant.ts";
import { type AnsweringClient as Client, answeringClient } from "./answering-client.ts";

/** The maximum time until a draft that was sent marks the message that it answers, in milliseconds. */
const FOLLOWED_MILLIS = 6_000;
/** The time until the draft of an answer is due, in milliseconds. */
const AHEAD = 5_000;

/**
 * An answer or a forward takes what it omits from the original, also as a draft. A message that a program wrote is
 * answered only if the request insists. [S6.2-8] [S6.2-9] [S6.2-10] [S12.4-1] [S12.4-2] [S12.4-3] [S12.4-4] [S12.4-5]
 */
export const answeredMail: Invariant = {
  name: "answered-mail",
  watch: (cluster) => ({
    calm: (visit) =>
      Effect.gen(function* () {
        const client = answeringClient(visit, cluster, yield* visit.signUp("answering"));
        yield* checkAnswers(client);
        yield* checkForwards(client);
        yield* checkAutomatic(client);
      }),
  }),
};

const ANSWER = ["To", "Subject", "In-Reply-To", "References"];

const checkAnswers = ({ visit, arrive, send, create, save, sendDraft, taken, isAnswered }: Client) =>
  Effect.gen(function* () {
    for (const isDraft of [false, true]) {
      const header = "Reply-To: Desk <desk@far.test>\r\nReferences: <root@far.test>\r\nSubject: Question";
      const { id, uid, messageId } = yield* arrive(header);
      const fields = ["Desk <desk@far.test>", "Re: Question", messageId, `<root@far.test> ${messageId}`];
      const request = { replyToMessageId: id };
      const sendAt = new Date(visit.now + AHEAD).toISOString();
      const draft = isDraft ? yield* create({ ...request, sendAt }) : undefined;
      const receipt = yield* draft === undefined ? send(request) : sendDraft(draft.id);
      if (isDraft) yield* visit.wait(AHEAD + FOLLOWED_MILLIS);
      const found = yield* taken(receipt, ...ANSWER);
      visit.same(found.fields, fields, "the fields that an answer takes from the original");
      visit.expect(found.body.includes("\n> the question"), "an answer without a text does not quote the original");
      const what = `a message is not marked as answered by a ${isDraft ? "draft" : "request"}`;
      yield* visit.within(FOLLOWED_MILLIS, what, () => isAnswered(uid));
    }
    const { id, messageId } = yield* arrive("Subject: Re: again");
    const own = { to: "other@far.test", text: "own", replyToMessageId: id };
    const first = yield* taken(yield* send(own), ...ANSWER);
    visit.same(first.fields, ["other@far.test", "Re: again", messageId, messageId], "the fields of an answer");
    visit.same(first.body, "own\r\n", "the body of an answer with a text");
    const draft = yield* create(own);
    const saved = yield* save(draft, { ...own, subject: "new subject" });
    const { inReplyTo, references } = saved.contents;
    visit.same([inReplyTo, references], [messageId, [messageId]], "the references of a saved answer");
    const second = yield* taken(yield* sendDraft(saved.id), ...ANSWER);
    visit.same(second.fields, ["other@far.test", "new subject", messageId, messageId], "the fields of a saved answer");
  });

const checkForwards = ({ visit, arrive, send, create, sendDraft, taken, inbox }: Client) =>
  Effect.gen(function* () {
    const header = 'Subject: Files\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="b"';
    const file = "--b\r\nContent-Type: text/csv\r\nContent-Disposition: attachment; filename=a.csv\r\n\r\nthe,file\r\n";
    const { id, uid } = yield* arrive(header, `--b\r\nContent-Type: text/plain\r\n\r\nsee below\r\n${file}--b--\r\n`);
    const request = { to: "other@far.test", forwardOf: id };
    const draft = yield* create(request);
    const receipts = [yield* send(request)];
    inbox.expunge([uid]);
    receipts.push(yield* sendDraft(draft.id));
    for (const receipt of receipts) {
      const { fields, body } = yield* taken(receipt, "To", "Subject");
      visit.same(fields, ["other@far.test", "Fwd: Files"], "the fields of a forward");
      const has = ["see below", "the,file"].map((text) => body.includes(text));
      visit.same(has, [true, true], "whether a forward has the text and the file of the original");
    }
  });

const checkAutomatic = ({ visit, arrive, send, create, save, sendDraft }: Client) =>
  Effect.gen(function* () {
    const tagOf = <A, E extends { readonly _tag: string }>(effect: Effect.Effect<A, E>) =>
      Effect.match(effect, { onFailure: ({ _tag }) => _tag, onSuccess: () => "Answered" });
    for (const [field, isAutomatic] of AUTOMATIC) {
      const { id } = yield* arrive(`${field}\r\nSubject: of a program`);
      const request = { text: "an answer", replyToMessageId: id };
      const promised = isAutomatic ? "AutomaticMessage" : "Answered";
      visit.same(yield* tagOf(send(request)), promised, `an answer to a message with ${field}`);
      if (!isAutomatic) continue;
      visit.same(yield* tagOf(send({ ...request, force: true })), "Answered", "an answer that insists");
    }
    const { id } = yield* arrive("Precedence: bulk\r\nSubject: of a program");
    const request = { to: "asker@far.test", subject: "answer", text: "an answer", replyToMessageId: id };
    const draft = yield* create(request);
    visit.same(yield* tagOf(sendDraft(draft.id)), "AutomaticMessage", "sending a draft that answers a program");
    yield* save(draft, { ...request, force: true });
    visit.same(yield* tagOf(sendDraft(draft.id)), "Answered", "sending a draft that insists");
  });

const AUTOMATIC = [
  ["Auto-Submitted: auto-replied", true],
  ["Auto-Submitted: no", false],
  ["Precedence: junk", true],
  ["Precedence: auto_reply", true],
  ["Return-Path: <>", true],
  ["X-Auto-Response-Suppress: All", true],
  ["X-Auto-Response-Suppress: None", false],
  ["List-Id: <all.far.test>\r\nPrecedence: list", false],
] as const;
