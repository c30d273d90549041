import { Drafts, DraftSender } from "@postern/core/drafts";
import { Outbox, Uploads } from "@postern/core/send";
import { Context, Effect, Stream } from "effect";
import { clientOf } from "../send/outbox-client.ts";
import { keysOf } from "../send/mail-of-keys.ts";
import { DAY, type Deadline, type Deadlines, HOUR, MINUTE } from "./Deadline.ts";
import { managedAccount } from "./managed-account.ts";

/**
 * A file is kept for 24 hours, and longer while a waiting or held message or a draft needs it; then it is part of the
 * message that is sent. [S6.1-2] [S6.1-7] [S12.1-16]
 */
export const fileDeadlines: Deadlines = (visit, cluster) =>
  Effect.gen(function* () {
    const client = clientOf(visit, cluster, yield* managedAccount(visit, cluster, "filing"));
    const { account, send, release } = client;
    const upload = (name: string) =>
      visit.ask("upload", (services) =>
        Context.get(services, Uploads).receive(account, {
          name,
          type: "text/plain",
          bytes: Stream.make(new TextEncoder().encode(`the file ${name}`)),
        }),
      );
    const expectKept = (id: string, isKept: boolean, what: string) =>
      Effect.map(
        visit.tagOf("open an upload", (services) => Context.get(services, Uploads).open(account, id)),
        (tag) => visit.same(tag, isKept ? "Answered" : "UploadNotFound", `opening the file ${what}`),
      );
    const expectSent = (outgoing: string, name: string) =>
      Effect.sync(() => {
        const taken = cluster.smtp.taken.filter(({ envelopeId }) => envelopeId === outgoing);
        const texts = taken.map(({ raw }) => new TextDecoder().decode(raw).includes(`the file ${name}`));
        visit.same(texts, [true], `whether the message that was sent has the file ${name}`);
      });
    const [free, planned, held, lost, drafted, dropped] = yield* Effect.forEach(
      ["free", "planned", "held", "lost", "drafted", "dropped"],
      upload,
    );
    const withFile = ({ id }: { readonly id: string }) => ({ attachments: [{ id }] });
    const { ask, make } = keysOf(visit);
    const by = yield* make("filing");
    const sendAt = visit.now + 2 * DAY;
    const later = visit.now + HOUR;
    const plannedMail = yield* send("with-planned", { sendAt, more: withFile(planned!) });
    const heldMail = yield* send("with-held", { sendAt: later, more: withFile(held!) });
    const lostMail = yield* send("with-lost", { sendAt: later, by, more: withFile(lost!) });
    yield* ask((keys) => keys.remove(by.id));
    const change = (what: "hold" | "release") =>
      visit.ask(what, (services) => Context.get(services, Outbox).changeAll(what, { messageId: heldMail.messageId }));
    yield* change("hold");
    const drafts = <A, E>(use: (all: Drafts["Service"]) => Effect.Effect<A, E>) =>
      visit.ask("draft", (services) => use(Context.get(services, Drafts)));
    const request = (name: string) => ({ to: "reader@far.test", subject: name, text: "simulated" });
    const draft = yield* drafts((all) => all.create(account, { ...request("drafted"), ...withFile(drafted!) }));
    const other = yield* drafts((all) => all.create(account, { ...request("dropped"), ...withFile(dropped!) }));
    const files = [free!, planned!, held!, lost!, drafted!, dropped!];
    const expectAll = (kept: ReadonlyArray<boolean>, when: string) =>
      Effect.forEach(files, ({ id, name }, n) => expectKept(id, kept[n]!, `${name} ${when}`), { discard: true });
    return [
      [DAY - 10 * MINUTE, expectAll([true, true, true, true, true, true], "before 24 hours")],
      [DAY + 10 * MINUTE, expectAll([false, true, true, true, true, true], "after 24 hours")],
      [2 * DAY - HOUR, drafts((all) => all.save(account, other.id, "1", request("without")))],
      [2 * DAY - 10 * MINUTE, expectAll([false, true, true, true, true, false], "after a draft dropped it")],
      [2 * DAY + 10 * MINUTE, expectSent(plannedMail.id, "planned")],
      [2 * DAY + 11 * MINUTE, expectAll([false, false, true, true, true, false], "after it was sent")],
      [3 * DAY, change("release")],
      [3 * DAY + MINUTE, release(lostMail.id, null)],
      [
        3 * DAY + MINUTE,
        visit.ask("send", (services) =>
          Context.get(services, DraftSender).send(account, draft.id, undefined, undefined),
        ),
      ],
      [3 * DAY + 2 * MINUTE, expectSent(heldMail.id, "held")],
      [3 * DAY + 2 * MINUTE, expectSent(lostMail.id, "lost")],
      [
        3 * DAY + 2 * MINUTE,
        Effect.suspend(() => {
          const taken = cluster.smtp.taken.find(({ from, raw }) => {
            const text = new TextDecoder().decode(raw);
            return from === account && /^Subject: drafted\r$/m.test(text);
          });
          return expectSent(taken?.envelopeId ?? "", "drafted");
        }),
      ],
      [3 * DAY + 10 * MINUTE, expectAll([false, false, false, false, false, false], "after all was sent")],
    ] satisfies ReadonlyArray<Deadline>;
  });
