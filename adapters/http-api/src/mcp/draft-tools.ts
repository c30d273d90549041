import { InvalidRequest } from "@postern/api";
import { Approvals, type Draft, Drafts, requestOf } from "@postern/core/drafts";
import { addressKey } from "@postern/core/mail";
import { Messages } from "@postern/core/messages";
import { sendFields } from "@postern/core/rules";
import type { AccountId } from "@postern/core/shared";
import { Effect, Schema } from "effect";
import { currentKey } from "../auth/current-principal.ts";
import { PublicAddress } from "../edge/PublicAddress.ts";
import { answer } from "../problems/answer.ts";
import { approvalRecord } from "../wire/approval-record.ts";
import { RequestId } from "../wire/RequestId.ts";
import type { Fence } from "./Fence.ts";
import { ACCOUNT, tool } from "./tool.ts";

const optional = <S extends Schema.Top>(schema: S, description: string) =>
  Schema.optionalKey(schema.annotate({ description }));

const Addresses = Schema.Array(Schema.String);

const draftView = (fence: Fence, { id, version, contents: { to, cc, subject, attachments } }: Draft) => ({
  id,
  version: String(version),
  to: to.map(({ address }) => fence.address(address)),
  cc: cc.map(({ address }) => fence.address(address)),
  subject: fence.around(subject),
  files: attachments.length === 0 ? undefined : attachments.length,
});

const invalid = (field: string, message: string) =>
  Effect.flatMap(RequestId, (requestId) =>
    Effect.fail(new InvalidRequest({ requestId, errors: [{ field, message }] })),
  );

/** The tools that write drafts and request their sending, for a key with `mail:draft` or `mail:send`. */
export const draftTools = Effect.gen(function* () {
  const drafts = yield* Drafts;
  const messages = yield* Messages;
  const approvals = yield* Approvals;
  const { origin, prefix } = yield* PublicAddress;

  /** Returns the recipients of a message, except for its author and the account. */
  const othersOf = (account: AccountId, id: string) =>
    Effect.map(answer(messages.read(account, id)), ({ summary }) => {
      const left = new Set([account, summary.from?.address ?? ""].map(addressKey));
      return [...summary.to, ...summary.cc].filter(({ address }) => !left.has(addressKey(address)));
    });

  const writeDraft = tool(
    {
      name: "write_draft",
      description:
        "Writes a draft, or changes one with draftId and version. Nothing is sent: send_draft sends it, or asks a person to approve it.",
      scopes: ["mail:draft"],
      readOnly: false,
    },
    {
      account: ACCOUNT,
      kind: optional(
        Schema.Literals(["new", "reply", "reply_all", "forward"]),
        "What the draft is; reply, reply_all and forward need messageId.",
      ),
      messageId: optional(sendFields.replyToMessageId, "Id of the message that is answered or forwarded."),
      draftId: optional(Schema.String, "Id of the draft to change, in place of kind."),
      version: optional(Schema.String, "Version of the draft to change."),
      to: optional(Addresses, "Recipients; a reply goes to the author by default."),
      cc: optional(Addresses, "Recipients of a copy."),
      subject: optional(sendFields.subject, "Subject; of an answer or a forward by default that of the message."),
      text: sendFields.text.annotate({ description: "The text, in Markdown." }),
    },
    Effect.fnUntraced(function* (account, { kind = "new", messageId, draftId, version, to, cc, subject, text }, fence) {
      const { htmlOf } = yield* Effect.promise(() => import("./html-of.ts"));
      const written = { text, html: htmlOf(text) };
      if (draftId !== undefined) {
        if (version === undefined) return yield* invalid("version", "is required with draftId");
        const { contents } = yield* answer(drafts.get(account, draftId));
        const known = requestOf(contents);
        const request = { ...known, to: to ?? known.to, cc: cc ?? known.cc, subject: subject ?? known.subject };
        return draftView(fence, yield* answer(drafts.save(account, draftId, version, { ...request, ...written })));
      }
      if (kind === "new")
        return draftView(fence, yield* answer(drafts.create(account, { to, cc, subject, ...written })));
      if (messageId === undefined) return yield* invalid("messageId", `is required for ${kind}`);
      if (kind === "forward") {
        const made = yield* answer(drafts.create(account, { forwardOf: messageId, to, cc, subject }));
        const whole = { ...requestOf(made.contents), text: `${text}${made.contents.text ?? ""}` };
        return draftView(fence, yield* answer(drafts.save(account, made.id, String(made.version), whole)));
      }
      const copies = cc ?? (kind === "reply_all" ? yield* othersOf(account, messageId) : undefined);
      const request = { replyToMessageId: messageId, to, cc: copies, subject, ...written };
      return draftView(fence, yield* answer(drafts.create(account, request)));
    }),
  );

  const sendDraft = tool(
    {
      name: "send_draft",
      description:
        "Sends a draft in one version if the policy of this key allows it. Otherwise it asks a person, who approves or denies it later.",
      scopes: ["mail:draft", "mail:send"],
      readOnly: false,
    },
    {
      account: ACCOUNT,
      draftId: Schema.String.annotate({ description: "Id of the draft." }),
      version: Schema.String.annotate({ description: "Version of the draft, as write_draft returned it." }),
    },
    Effect.fnUntraced(function* (account, { draftId, version }) {
      const outcome = yield* answer(approvals.sendDraft(account, draftId, version, undefined, yield* currentKey));
      if ("receipt" in outcome) {
        const { id, messageId, status } = outcome.receipt;
        return { sent: { id, messageId, status } };
      }
      const { id, state, recipients, expiresAt } = approvalRecord(outcome.approval);
      const url = `${origin}${prefix}/settings/approvals/${id}`;
      return {
        approval: { id, state, recipients, expiresAt, url },
        next: "Nothing was sent: a person decides, signed in to the mailbox at the URL",
      };
    }),
  );

  return [writeDraft, sendDraft] as const;
});
