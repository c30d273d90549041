import { MessageSender, Outbox, Uploads } from "@postern/core/send";
import { Context, Effect, Stream } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { Visit } from "../../../../Visit.ts";
import { DAY, HOUR, SECOND } from "../../durations.ts";
import type { Act } from "../walk.ts";
import { copyLate } from "./copy-late.ts";
import type { WalkedUpload, WalkedUploads } from "./walked-uploads.ts";

type Request = Parameters<MessageSender["Service"]["send"]>[1];
type Attachment = NonNullable<Request["attachments"]>[number];

const MOST = 20;
const MEBIBYTE = 1_048_576;
/** The time until a message has arrived. */
const SENT = 500;

/** Files that are uploaded and sent. [S2.6-3] [S6.1-5] [S6.4-20] [S12.4-6] */
export const uploadActs = (
  visit: Visit,
  cluster: Cluster,
  walked: WalkedUploads,
  stranger: WalkedUploads,
): ReadonlyArray<Act> => {
  const { random } = cluster;
  const { account, uploads, mails } = walked;
  const keyed: Array<{ readonly key: string; readonly file: WalkedUpload }> = [];
  let count = 0;
  const bytesOf = (text: string) => Stream.make(new TextEncoder().encode(text));
  const receive = (
    by: WalkedUploads,
    { name, type, text }: Pick<WalkedUpload, "name" | "type" | "text">,
    key?: string,
    bytes: Stream.Stream<Uint8Array, Broken> = bytesOf(text),
  ) =>
    Effect.map(
      Effect.result(
        visit.ask("upload", (services) =>
          Context.get(services, Uploads).receiveOnce(
            by.account,
            { name, type, bytes },
            key === undefined ? undefined : { caller: by.account, key, account: by.account },
          ),
        ),
      ),
      (is) =>
        is._tag === "Success" ? { tag: "Answered", id: is.success.id } : { tag: is.failure._tag as string, id: "" },
    );
  const write = () => ({
    name: random.pick(["a.txt", "Ünï.pdf", "two words.csv", `${++count}.txt`]),
    type: random.pick(["text/plain", "application/pdf"]),
    text: random.pick(["", `the file ${++count};`, `${"x".repeat(3_000)}${++count};`]),
  });
  const note = (by: WalkedUploads, is: { readonly id: string }, file: ReturnType<typeof write>, at: number) => {
    const one = { ...file, id: is.id, createdAt: at };
    by.uploads.push(one);
    return one;
  };

  const upload = Effect.gen(function* () {
    const [by, file, at] = [random.chance(0.15) ? stranger : walked, write(), visit.now];
    const key = random.chance(0.5) ? `upload ${++count}` : undefined;
    const once = receive(by, file, key);
    const [is, other] = yield* Effect.all(
      [once, key !== undefined && random.chance(0.3) ? once : Effect.succeed(null)],
      {
        concurrency: 2,
      },
    );
    const made = is.tag === "CreationInProgress" && other !== null ? other : is;
    visit.same(made.tag, "Answered", "an upload");
    if (other !== null)
      visit.expect(
        [is, other].every(({ tag, id }) => tag === "CreationInProgress" || id === made.id),
        "two uploads at once with one key are two files",
      );
    const one = note(by, made, file, at);
    if (key !== undefined && by === walked) keyed.push({ key, file: one });
  });
  const repeat = Effect.gen(function* () {
    const { key, file } = random.pick(keyed)!;
    const age = visit.now - file.createdAt;
    if (age > DAY - HOUR || !walked.isKept(file)) return;
    const other = random.pick([undefined, undefined, { name: "other.txt" }, { type: "text/other" }, { text: "other" }]);
    const is = yield* receive(walked, { ...file, ...other }, key);
    visit.same(
      is,
      other === undefined ? { tag: "Answered", id: file.id } : { tag: "IdempotencyKeyReused", id: "" },
      `an upload that is repeated with ${JSON.stringify(other ?? "the same file")}`,
    );
  });
  /** A transfer that breaks keeps nothing, and does not use up its key. */
  const breakOff = Effect.gen(function* () {
    const [file, key, at] = [write(), `upload ${++count}`, visit.now];
    const broken = Stream.concat(bytesOf(file.text), Stream.fail(new Broken()));
    visit.same((yield* receive(walked, file, key, broken)).tag, "Broken", "an upload that breaks off");
    const is = yield* receive(walked, file, key);
    visit.same(is.tag, "Answered", "an upload after one that broke off");
    if (is.id !== "") note(walked, is, file, at);
  });
  const uploadMuch = Effect.gen(function* () {
    const part = new Uint8Array(MEBIBYTE);
    const isTooLarge = random.chance(0.6);
    const parts = [...Array.from({ length: 25 }, () => part), ...(isTooLarge ? [new Uint8Array(1)] : [])];
    const file = { name: "much.bin", type: "text/plain", text: "" };
    const is = yield* receive(walked, file, undefined, Stream.fromIterable(parts));
    visit.same(is.tag, isTooLarge ? "UploadTooLarge" : "Answered", "a file of about 25 MiB");
  });

  const send = (attachments: ReadonlyArray<Attachment>, sendAt?: number) =>
    Effect.result(
      visit.ask("send", (services) =>
        Context.get(services, MessageSender).send(
          account,
          {
            to: "reader@far.test",
            subject: "files",
            text: "walked",
            attachments,
            ...(sendAt !== undefined && { sendAt: new Date(sendAt).toISOString() }),
          },
          undefined,
        ),
      ),
    );
  const attach = ({ id }: WalkedUpload): Attachment => ({
    id,
    ...random.pick([{}, { url: `/api/uploads/${id}` }, { name: "other name.txt" }, { type: "text/csv", size: 1 }]),
  });
  const sendFiles = Effect.gen(function* () {
    const files = random.some(walked.usable(), random.between(1, 5));
    const isLater = random.chance(0.5);
    const dueAt = visit.now + random.pick([HOUR, 30 * HOUR, 50 * HOUR]);
    const content = `content ${++count};`;
    const attachments: ReadonlyArray<Attachment> = [
      ...files.map(attach),
      { content: Buffer.from(content).toString("base64"), name: "content.txt" },
    ];
    const answer = yield* send(attachments, isLater ? dueAt : undefined);
    if (answer._tag === "Failure")
      return visit.expect(false, `a message with files is refused: ${answer.failure._tag}`);
    const { id } = answer.success;
    if (isLater) return void mails.push({ id, files, dueAt, isCancelled: false });
    yield* visit.wait(SENT);
    compareMail(id, [...files.map(({ text }) => text), content]);
  });
  const compareMail = (id: string, texts: ReadonlyArray<string>) => {
    const taken = cluster.smtp.taken.filter(({ envelopeId }) => envelopeId === id);
    const raw = new TextDecoder().decode(taken[0]?.raw);
    visit.expect(
      taken.length === 1 && raw.endsWith(texts.join("")),
      `a message has ${taken.length} copies with ${raw.slice(-60)}, not one with ${texts.join("").slice(-60)}`,
    );
  };
  const sendNow = (files: ReadonlyArray<WalkedUpload>) => send(files.map(attach));
  const late = copyLate(visit, cluster, walked, stranger, sendNow, compareMail);
  const cancel = Effect.gen(function* () {
    const one = random.pick(mails.filter(({ isCancelled, dueAt }) => !isCancelled && visit.now < dueAt - 30 * SECOND));
    if (one === undefined) return;
    yield* visit.ask("cancel", (services) => Context.get(services, Outbox).cancel(account, one.id));
    one.isCancelled = true;
  });
  const refuse = Effect.gen(function* () {
    const file = random.pick(walked.usable())!;
    const foreign = stranger.uploads[0]?.id ?? "up_unknown";
    const expired = random.pick(walked.expired())?.id ?? "up_expired";
    const most = (attachment: Attachment, length: number) => Array.from({ length }, () => attachment);
    const small = { content: Buffer.from("x").toString("base64"), name: "x" };
    const [attachments, promise] = random.pick<readonly [ReadonlyArray<Attachment>, string]>([
      [[{ id: foreign }], "InputInvalid"],
      [[{ id: expired }], "InputInvalid"],
      [[{ id: file.id, url: `/api/uploads/${foreign}` }], "InputInvalid"],
      [[{ id: file.id, url: "https://far.test/file" }], "InputInvalid"],
      [[{ name: "nothing" }], "InputInvalid"],
      [[{ id: file.id, content: small.content }], "InputInvalid"],
      [[{ content: "no base64!", name: "x" }], "InputInvalid"],
      [[{ id: file.id, name: "two\nlines" }], "InputInvalid"],
      [[{ id: file.id, type: "no type" }], "InputInvalid"],
      [most({ id: file.id }, MOST + 1), "MessageTooLarge"],
      [[...most(small, MOST), { id: file.id }], "MessageTooLarge"],
      [most(small, MOST), "Answered"],
    ]);
    const answer = yield* send(attachments);
    visit.same(
      answer._tag === "Success" ? "Answered" : answer.failure._tag,
      promise,
      `${attachments.length} files such as ${JSON.stringify(attachments[0])}`,
    );
  });

  const act = (name: string, weight: number, run: Effect.Effect<unknown, unknown>, isPossible = () => true): Act => ({
    name,
    weight,
    isPossible,
    run: Effect.andThen(
      Effect.andThen(run, visit.wait(3 * SECOND)),
      Effect.suspend(() => walked.compareWith(stranger.account)),
    ),
  });
  const isLargeTurn = visit.pickInTurn([true, false, false, false]);
  const hasOne = () => walked.usable().length > 0;
  return [
    act("upload", 5, upload, () => uploads.length < 30),
    act("repeat an upload", 3, repeat, () => keyed.length > 0),
    act("break off an upload", 1, breakOff),
    act("upload much", 1, uploadMuch, () => isLargeTurn),
    act("send files", 5, sendFiles, hasOne),
    act("copy a message late", 2, late, hasOne),
    act("send files that cannot be sent", 4, refuse, hasOne),
    act("cancel a message", 1, cancel, () => mails.length > 0),
    act(
      "compare what was sent later",
      2,
      Effect.sync(() => {
        for (const { id, files, dueAt, isCancelled } of mails.slice(-3)) {
          if (visit.now < dueAt + 30 * SECOND) continue;
          const taken = cluster.smtp.taken.filter(({ envelopeId }) => envelopeId === id);
          const raw = new TextDecoder().decode(taken[0]?.raw);
          visit.same(taken.length, isCancelled ? 0 : 1, "the copies of a message with files that waited");
          if (isCancelled) continue;
          for (const { text } of files) visit.expect(raw.includes(text), `a message that waited lacks ${text}`);
        }
      }),
      () => mails.length > 0,
    ),
  ];
};

/** The transfer of a file breaks off. */
class Broken {
  readonly _tag = "Broken";
}
