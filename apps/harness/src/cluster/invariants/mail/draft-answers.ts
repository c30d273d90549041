import { Drafts, DraftSender } from "@postern/core/drafts";
import { type MessageSender, Outbox } from "@postern/core/send";
import { Context, Effect, Fiber } from "effect";
import type { Cluster } from "../../Cluster.ts";
import type { Invariant } from "../../Invariant.ts";
import type { Visit } from "../../Visit.ts";
import { copiesOfDraft } from "../../world/edit-elsewhere.ts";

/** The maximum time until the copies of a sent draft are removed, in milliseconds. */
const REMOVAL_MILLIS = 6_000;

type SendRequest = Parameters<MessageSender["Service"]["send"]>[1];

/**
 * The version that a person approved is sent, once. A refused save changes nothing. Versions written by other clients
 * are kept. A draft that was not sent can be edited again, and a draft that may have been sent is not sent again.
 */
export const draftAnswers: Invariant = {
  name: "draft-answers",
  watch: (cluster) => ({
    calm: (visit) =>
      Effect.gen(function* () {
        yield* versions(visit, cluster);
        yield* checkEndings(visit, cluster);
        yield* checkApproved(visit, cluster);
      }),
  }),
};

const writerOf = (visit: Visit, cluster: Cluster, name: string) =>
  Effect.map(visit.signUp(name), (account) => {
    const ask = <A, E>(what: string, use: (drafts: Drafts["Service"]) => Effect.Effect<A, E>) =>
      visit.ask(what, (services) => use(Context.get(services, Drafts)));
    const request = (subject: string, to = "reader"): SendRequest => ({
      to: `${to}@far.test`,
      subject,
      text: "simulated",
    });
    return {
      account,
      ask,
      request,
      create: (subject: string, to?: string) => ask("create", (drafts) => drafts.create(account, request(subject, to))),
      get: (id: string) => ask("get", (drafts) => drafts.get(account, id)),
      save: (id: string, version: number | string, subject: string, to?: string) =>
        ask("save", (drafts) => drafts.save(account, id, String(version), request(subject, to))),
      send: (id: string, version?: number) =>
        visit.ask("send", (services) =>
          Context.get(services, DraftSender).send(
            account,
            id,
            version === undefined ? version : String(version),
            undefined,
          ),
        ),
      copies: (id: string) => copiesOfDraft(cluster, { account, id }),
      subjectsSent: () =>
        cluster.smtp.taken
          .filter(({ from }) => from === account)
          .map(({ raw }) => /^Subject: (.*?)\r?$/m.exec(new TextDecoder().decode(raw))?.[1]),
    };
  });

const versions = (visit: Visit, cluster: Cluster) =>
  Effect.gen(function* () {
    const writer = yield* writerOf(visit, cluster, "writer");
    const { id, version } = yield* writer.create("first");
    const saved = yield* writer.save(id, version, "second");
    visit.same((yield* Effect.flip(writer.save(id, version, "lost")))._tag, "DraftChanged", "a save of an old version");
    visit.same((yield* Effect.flip(writer.send(id, version)))._tag, "DraftChanged", "sending an old version");
    const removal = writer.ask("remove", (drafts) => drafts.remove(writer.account, id, String(version)));
    visit.same((yield* Effect.flip(removal))._tag, "DraftChanged", "deleting an old version");
    const read = yield* writer.get(id);
    visit.same([read.version, read.contents.subject], [saved.version, "second"], "what was saved last");
    const racing = ["left", "right"].map((subject) => Effect.result(writer.save(id, saved.version, subject)));
    const ends = yield* Effect.all(racing, { concurrency: 2 });
    visit.same(ends.filter(({ _tag }) => _tag === "Success").length, 1, "the saves of one version that succeed");
    const winner = ends.findIndex(({ _tag }) => _tag === "Success") === 0 ? "left" : "right";
    const kept = yield* writer.get(id);
    visit.same(kept.contents.subject, winner, "what the completed save said");
    visit.same(writer.copies(id).length, 1, "the copies of a draft");
    const { account } = writer;
    const listed = yield* writer.ask("list", (drafts) => drafts.page(account, {}));
    visit.same(
      listed.items.map(({ subject }) => subject),
      [winner],
      "the drafts that are listed",
    );
    const receipt = yield* writer.send(id, kept.version);
    visit.same((yield* writer.send(id)).id, receipt.id, "the receipt of a repeat");
    yield* visit.wait(REMOVAL_MILLIS);
    visit.same(writer.subjectsSent(), [winner], "the subjects that were sent");
    visit.same(writer.copies(id).length, 0, "the copies of a sent draft");
    visit.same((yield* Effect.flip(writer.get(id)))._tag, "DraftNotFound", "a draft that was sent");
    visit.same((yield* writer.send(id)).id, receipt.id, "the receipt of a late repeat");
    const left = yield* writer.ask("list", (drafts) => drafts.page(account, {}));
    visit.same(left.items, [], "the drafts after it was sent");
  });

/**
 * Another client writes a version while a draft is sent. A refused draft can be edited again; a draft with an unknown
 * outcome is not sent again.
 */
const checkEndings = (visit: Visit, cluster: Cluster) =>
  Effect.gen(function* () {
    const writer = yield* writerOf(visit, cluster, "ending");
    const { account } = writer;
    const refused = yield* writer.create("refused", "refused");
    visit.same((yield* Effect.flip(writer.send(refused.id)))._tag, "RecipientRefused", "a draft that is refused");
    yield* visit.wait(REMOVAL_MILLIS);
    const back = yield* writer.get(refused.id);
    visit.same([back.state, back.reason?.reason], ["draft", "recipient_refused"], "a draft that was refused");
    visit.same(writer.copies(refused.id).length, 1, "the copies of a draft that was refused");

    const unknown = yield* writer.create("unknown", "lost");
    visit.same((yield* Effect.flip(writer.send(unknown.id)))._tag, "SendOutcomeUnknown", "a draft that was cut off");
    yield* visit.wait(REMOVAL_MILLIS);
    visit.same((yield* Effect.flip(writer.send(unknown.id)))._tag, "SendOutcomeUnknown", "a repeat of it");
    const entries = yield* visit.ask("outbox", (services) => Context.get(services, Outbox).page(account, {}));
    visit.same(
      entries.items.filter(({ message }) => message.subject === "unknown").length,
      1,
      "messages of that version",
    );
    const again = yield* writer.get(unknown.id);
    visit.same(again.state, "draft", "the state of a draft that may have been sent");
    yield* writer.save(unknown.id, again.version, "saved again");
    visit.same((yield* writer.send(unknown.id)).status, "sent", "a new version of what may have been sent");

    const edited = yield* writer.create("as it was", "slow");
    const sending = yield* Effect.forkChild(writer.send(edited.id));
    yield* visit.wait(2_000);
    const [copy] = writer.copies(edited.id);
    const text = copy!.text.replace("Subject: as it was", "Subject: elsewhere");
    const folder = cluster.mail.account(account).mailbox("Drafts");
    folder.append(new TextEncoder().encode(text), cluster.timeline.now, ["\\Draft", "\\Seen"]);
    yield* Fiber.join(sending);
    yield* visit.wait(REMOVAL_MILLIS);
    visit.expect(
      folder.messages.some(({ summary }) => summary.subject === "elsewhere"),
      "what another client wrote while a draft was sent is removed",
    );
  });

/**
 * Another client writes a version before the approved one is sent: nothing is sent. Of two concurrent requests to send,
 * one sends the draft. [S12.1-21]
 */
const checkApproved = (visit: Visit, cluster: Cluster) =>
  Effect.gen(function* () {
    const writer = yield* writerOf(visit, cluster, "approving");
    const { account } = writer;
    const draft = yield* writer.create("approved");
    const folder = cluster.mail.account(account).mailbox("Drafts");
    const [copy] = writer.copies(draft.id);
    const text = copy!.text.replace("Subject: approved", "Subject: written elsewhere");
    folder.append(new TextEncoder().encode(text), cluster.timeline.now, ["\\Draft", "\\Seen"]);
    folder.expunge([copy!.message.uid]);
    const refused = yield* Effect.flip(writer.send(draft.id, draft.version));
    visit.same(refused._tag, "DraftChanged", "sending a version that another client replaced");
    yield* visit.wait(REMOVAL_MILLIS);
    visit.same(writer.subjectsSent(), [], "what was sent of a draft that another client changed");
    const current = yield* writer.get(draft.id);
    visit.same(current.contents.subject, "written elsewhere", "the version that another client wrote");
    const both = [writer.send(draft.id, current.version), writer.send(draft.id, current.version)];
    const receipts = yield* Effect.all(both.map(Effect.result), { concurrency: 2 });
    const ids = receipts.flatMap((one) => (one._tag === "Success" ? [one.success.id] : []));
    visit.expect(ids.length > 0 && new Set(ids).size === 1, "two requests at once send two messages");
    yield* visit.wait(REMOVAL_MILLIS);
    visit.same(writer.subjectsSent(), ["written elsewhere"], "what two requests at once sent");
  });
