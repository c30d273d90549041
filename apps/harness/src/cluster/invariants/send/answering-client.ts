import { Drafts, DraftSender } from "@postern/core/drafts";
import { Inbox } from "@postern/core/messages";
import { MessageSender } from "@postern/core/send";
import type { AccountId } from "@postern/core/shared";
import { Context, Effect } from "effect";
import type { Cluster } from "../../Cluster.ts";
import type { Visit } from "../../Visit.ts";

type SendRequest = Parameters<MessageSender["Service"]["send"]>[1];
type Requests = Drafts["Service"];
type Receipt = Effect.Success<ReturnType<MessageSender["Service"]["send"]>>;
type Tagged = { readonly _tag: string };

/** The requests of a client that answers and forwards messages, and what arrived of them. */
export interface AnsweringClient {
  readonly visit: Visit;
  readonly inbox: ReturnType<ReturnType<Cluster["mail"]["account"]>["mailbox"]>;
  readonly create: (request: SendRequest) => ReturnType<Requests["create"]>;
  readonly save: (
    draft: { readonly id: string; readonly version: number },
    request: SendRequest,
  ) => ReturnType<Requests["save"]>;
  /** A message arrives; returns its id, its UID and its Message-ID. */
  readonly arrive: (
    header: string,
    body?: string,
  ) => Effect.Effect<{ readonly id: string; readonly uid: number; readonly messageId: string }, unknown>;
  readonly send: (request: SendRequest) => Effect.Effect<Receipt, Tagged>;
  readonly sendDraft: (id: string) => Effect.Effect<Receipt, Tagged>;
  /** Returns header fields and the body of a message that arrived at its recipients. */
  readonly taken: (
    receipt: { readonly id: string },
    ...names: ReadonlyArray<string>
  ) => Effect.Effect<{ readonly fields: ReadonlyArray<string | undefined>; readonly body: string }>;
  readonly isAnswered: (uid: number) => boolean;
}

/** Returns a client for an account. */
export const answeringClient = (visit: Visit, cluster: Cluster, account: AccountId): AnsweringClient => {
  const inbox = cluster.mail.account(account).mailbox("INBOX");
  const drafts = <A, E>(use: (all: Drafts["Service"]) => Effect.Effect<A, E>) =>
    visit.ask("draft", (services) => use(Context.get(services, Drafts)));
  let arrivals = 0;
  return {
    visit,
    inbox,
    create: (request: SendRequest) => drafts((all) => all.create(account, request)),
    save: ({ id, version }: { readonly id: string; readonly version: number }, request: SendRequest) =>
      drafts((all) => all.save(account, id, String(version), request)),
    arrive: (header: string, body = "the question\r\n") =>
      Effect.gen(function* () {
        const text = `Message-ID: <asked-${++arrivals}@far.test>\r\nFrom: Asker <asker@far.test>\r\n${header}\r\n\r\n${body}`;
        const { uid } = inbox.append(new TextEncoder().encode(text), visit.now);
        const { page } = yield* visit.ask("list", (services) => Context.get(services, Inbox).list(account, {}));
        return {
          id: page.emails.find(({ message }) => message.uid === uid)!.id,
          uid,
          messageId: `<asked-${arrivals}@far.test>`,
        };
      }),
    send: (request: SendRequest) =>
      visit.ask("answer", (services) => Context.get(services, MessageSender).send(account, request, undefined)),
    sendDraft: (id: string) =>
      visit.ask("send the draft", (services) =>
        Context.get(services, DraftSender).send(account, id, undefined, undefined),
      ),
    taken: ({ id }: { readonly id: string }, ...names: ReadonlyArray<string>) =>
      Effect.map(visit.wait(500), () => {
        const found = cluster.smtp.taken.find(({ envelopeId }) => envelopeId === id);
        const text = new TextDecoder().decode(found?.raw);
        const fields = names.map((name) => new RegExp(`^${name}: (.*)\r$`, "m").exec(text)?.[1]);
        return { fields, body: text.slice(text.indexOf("\r\n\r\n") + 4) };
      }),
    isAnswered: (uid: number) => inbox.find(uid)!.flags.has("\\Answered"),
  };
};
