import { Drafts, DraftSender } from "@postern/core/drafts";
import { Identities, MessageSender, Uploads } from "@postern/core/send";
import { Context, Effect, Stream } from "effect";
import type { Cluster } from "../../Cluster.ts";
import type { Invariant } from "../../Invariant.ts";
import type { Visit } from "../../Visit.ts";

type SendRequest = Parameters<MessageSender["Service"]["send"]>[1];

/** The maximum time until a message arrives and its copy is stored, in milliseconds. */
const SENT_MILLIS = 3_000;
const FILE = "the text of a file";

/**
 * A message has every field of its request, whether it is sent at once or saved as a draft and then sent: each
 * recipient gets it once, and only the copy in Sent shows Bcc. [S6.2-3] [S6.2-5] [S12.1-4] [S12.1-8] [S12.2-13]
 */
export const writtenMail: Invariant = {
  name: "written-mail",
  watch: (cluster) => ({
    calm: (visit) =>
      Effect.gen(function* () {
        const account = yield* visit.signUp("composing");
        const { id } = yield* visit.ask("upload", (services) =>
          Context.get(services, Uploads).receive(account, {
            name: "a.txt",
            type: "text/plain",
            bytes: Stream.make(new TextEncoder().encode(FILE)),
          }),
        );
        const { request, fields } = writeAll(account, id);
        const sent = yield* visit.ask("send all fields", (services) =>
          Context.get(services, MessageSender).send(account, request, undefined),
        );
        const drafts = <A, E>(use: (all: Drafts["Service"]) => Effect.Effect<A, E>) =>
          visit.ask("draft", (services) => use(Context.get(services, Drafts)));
        let draft = yield* drafts((all) => all.create(account, request));
        const first = draft.contents;
        draft = yield* drafts((all) => all.save(account, draft.id, String(draft.version), request));
        visit.same(draft.contents, first, "the fields of a draft that was saved again without a change");
        const read = yield* drafts((all) => all.get(account, draft.id));
        visit.same(read.contents, first, "the fields of a draft that is read");
        const receipt = yield* visit.ask("send the draft", (services) =>
          Context.get(services, DraftSender).send(account, draft.id, undefined, undefined),
        );
        yield* visit.wait(SENT_MILLIS);
        for (const one of [sent, receipt]) expectMessage(visit, cluster, one, fields);
        yield* checkIdentity(visit, cluster);
      }),
  }),
};

/** Returns a request with all fields, and the header fields that it promises. */
const writeAll = (account: string, file: string) => {
  const request: SendRequest = {
    from: { name: "Chosen Name", address: account },
    to: ["One <one@far.test>", { name: "Two", address: "two@far.test" }],
    cc: "two@far.test, Three <three@far.test>",
    bcc: "four@far.test",
    replyTo: "Reply <reply@far.test>",
    subject: "all fields",
    html: "<p>the body</p>",
    text: "the text",
    inReplyTo: "<asked@far.test>",
    references: ["<root@far.test>", "<asked@far.test>"],
    headers: { "X-Kind": "simulated", Importance: "high" },
    unsubscribe: { url: "https://far.test/unsubscribe", oneClick: true },
    attachments: [{ id: file }],
  };
  const fields: ReadonlyArray<readonly [name: string, value: string]> = [
    ["From", `Chosen Name <${account}>`],
    ["To", "One <one@far.test>, Two <two@far.test>"],
    ["Cc", "two@far.test, Three <three@far.test>"],
    ["Reply-To", "Reply <reply@far.test>"],
    ["Subject", "all fields"],
    ["In-Reply-To", "<asked@far.test>"],
    ["References", "<root@far.test> <asked@far.test>"],
    ["X-Kind", "simulated"],
    ["Importance", "high"],
    ["List-Unsubscribe", "<https://far.test/unsubscribe>"],
    ["List-Unsubscribe-Post", "List-Unsubscribe=One-Click"],
  ];
  return { request, fields };
};

const expectMessage = (
  visit: Visit,
  cluster: Cluster,
  { id, messageId }: { readonly id: string; readonly messageId: string },
  fields: ReadonlyArray<readonly [name: string, value: string]>,
): void => {
  const taken = cluster.smtp.taken.filter(({ envelopeId }) => envelopeId === id);
  const names = ["four", "one", "three", "two"].map((name) => `${name}@far.test`);
  visit.same(taken.flatMap(({ recipients }) => recipients).toSorted(), names, "the recipients of a message");
  const from = taken[0]!.from;
  const sent = cluster.mail.account(from).mailbox("Sent").messages;
  const copies = sent.filter(({ summary }) => summary.messageId === messageId).map(({ raw }) => raw);
  for (const [raw, more] of [[taken[0]!.raw, []] as const, [copies[0], [["Bcc", "four@far.test"]]] as const]) {
    const text = new TextDecoder().decode(raw);
    const [header, body] = text.split("\r\n\r\n", 2);
    const found = header!.split("\r\n").filter((line) => !line.startsWith("Message-ID"));
    const promised = [...fields, ...more].map(([name, value]) => `${name}: ${value}`);
    visit.same(found.toSorted(), promised.toSorted(), `the header of a message${more.length > 0 ? " in Sent" : ""}`);
    visit.same(body, `<p>the body</p>\r\n${FILE}`, "the body of a message with its file");
  }
};

/** The default identity gives its name and its Reply-To to a message that names none. */
const checkIdentity = (visit: Visit, cluster: Cluster) =>
  Effect.gen(function* () {
    const account = yield* visit.signUp("composing-as");
    const fields = { address: "alias@far.test", name: "Alias", replyTo: "answers@far.test", isDefault: true };
    yield* visit.ask("add an alias", (services) => Context.get(services, Identities).create(account, fields, true));
    for (const [more, from, replyTo] of [
      [{}, "Alias <alias@far.test>", "answers@far.test"],
      [{ replyTo: "own@far.test", from: "Me <alias@far.test>" }, "Me <alias@far.test>", "own@far.test"],
      [{ from: account }, account, undefined],
    ] as const) {
      const request = { to: "reader@far.test", subject: "as", text: "simulated", ...more };
      const { id } = yield* visit.ask("send", (services) =>
        Context.get(services, MessageSender).send(account, request, undefined),
      );
      yield* visit.wait(SENT_MILLIS);
      const taken = cluster.smtp.taken.find(({ envelopeId }) => envelopeId === id)!;
      const header = (name: string) =>
        new RegExp(`^${name}: (.*)\r$`, "m").exec(new TextDecoder().decode(taken.raw))?.[1];
      visit.same([header("From"), header("Reply-To")], [from, replyTo], "From and Reply-To of a message");
      visit.same(taken.from, account, "the sender of the envelope");
    }
  });
