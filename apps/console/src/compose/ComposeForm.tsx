import { ApiProblem } from "@postern/client/browser";
import { Paperclip } from "../ui/icons.tsx";
import { useLayoutEffect, useState } from "react";
import { useLocation } from "wouter";
import { Button } from "../ui/Button.tsx";
import { Field } from "../ui/Field.tsx";
import { FormWithFaults } from "../ui/FormWithFaults.tsx";
import { Question } from "../ui/Question.tsx";
import { errorText } from "../ui/error-text.ts";
import { useUnloadWarning } from "../ui/unload-warning.ts";
import { AttachmentTray } from "./AttachmentTray.tsx";
import { type Limits, useAttachments } from "./attachments.ts";
import { type Draft, missingParts } from "./draft.ts";
import { dropDraft } from "./kept-draft.ts";
import { useDraft } from "./useDraft.ts";
import { type Original, useSend } from "./useSend.ts";

export interface ComposeFormProps {
  readonly account: string;
  readonly about: string;
  readonly fresh: () => Draft;
  readonly original: Original | null;
  readonly limits: Limits | undefined;
}

/** The form of a draft. Every change is saved; pressing Send several times sends the message once. */
export const ComposeForm = ({ account, about, fresh, original, limits }: ComposeFormProps) => {
  const { draft, isTouched, isKept, change } = useDraft(account, about, fresh);
  const [hasCopies, showCopies] = useState(draft.cc !== "" || draft.bcc !== "");
  const [isWithoutRecipient, setWithoutRecipient] = useState(false);
  const [question, ask] = useState<"send" | "discard" | null>(null);
  const [writesBody] = useState(draft.to !== "");
  const attachments = useAttachments(limits, draft.files);
  const send = useSend(account, about, original);
  const [, navigate] = useLocation();

  const files = attachments.all.map(({ name, size, uploaded }) => ({ name, size, uploaded }));
  const hasNewFiles = JSON.stringify(files) !== JSON.stringify(draft.files);
  // Layout effects run before the browser paints: a file shown as ready is saved with the draft.
  useLayoutEffect(() => {
    if (hasNewFiles) change({ files });
  });

  const carried = original?.way === "forward" ? (original.message?.attachments ?? []).filter((one) => !one.inline) : [];
  const missing = missingParts(draft);
  const problem = send.error instanceof ApiProblem ? send.error : null;
  const fault = (field: string) => problem?.fault(field);
  const isUploading = attachments.all.some(({ uploaded, fault: one }) => uploaded === null && one === null);
  const isRefused = attachments.all.some((one) => one.fault !== null);
  const isTooMany = limits !== undefined && attachments.all.length > limits.maxAttachments;
  useUnloadWarning(!send.isSuccess && (isUploading || !isKept));

  const sendNow = (): void => send.mutate(draft, { onError: attachments.refuse });
  const submit = (): boolean => {
    const isNowhere = draft.to.trim() === "";
    setWithoutRecipient(isNowhere);
    if (isNowhere) return false;
    if (missing.length === 0) sendNow();
    else ask("send");
    return true;
  };
  const discard = (): void => {
    dropDraft(account, about);
    if (history.length > 1) history.back();
    else navigate("/mail/inbox");
  };

  return (
    <>
      <FormWithFaults className="compose-form" onSubmit={submit} error={send.error}>
        <Field
          label="To"
          value={draft.to}
          onChange={(to) => change({ to })}
          autoFocus={!writesBody}
          isRequired
          hint="Separate addresses with commas."
          fault={isWithoutRecipient && draft.to.trim() === "" ? "Give at least one address." : fault("to")}
        />
        {hasCopies ? (
          <>
            <Field label="Cc" value={draft.cc} onChange={(cc) => change({ cc })} fault={fault("cc")} />
            <Field label="Bcc" value={draft.bcc} onChange={(bcc) => change({ bcc })} fault={fault("bcc")} />
          </>
        ) : (
          <Button look="quiet" className="copies" onPress={() => showCopies(true)}>
            Add Cc or Bcc
          </Button>
        )}
        <Field
          label="Subject"
          value={draft.subject}
          onChange={(subject) => change({ subject })}
          fault={fault("subject")}
        />
        <Field
          label="Message"
          value={draft.text}
          onChange={(text) => change({ text })}
          autoFocus={writesBody}
          rows={14}
          fault={fault("text")}
        />
        {carried.length > 0 && (
          <p className="notice">
            <Paperclip size={17} aria-hidden />
            Forwarded attachments: {carried.map(({ name }) => name ?? "unnamed file").join(", ")}
          </p>
        )}
        <AttachmentTray
          attachments={attachments.all}
          limits={limits}
          onAdd={attachments.add}
          onRemove={attachments.remove}
        />
        {isTooMany && (
          <p className="fault">A message can have {limits.maxAttachments} files at most. Remove some files.</p>
        )}
        {!isKept && (
          <p className="notice warn" role="status">
            This draft is too large to be saved. It is lost when you leave the page.
          </p>
        )}
        {send.isError && (
          <p className="notice bad" role="alert">
            {errorText(send.error)}
          </p>
        )}
        <div className="buttons">
          <Button
            type="submit"
            look="primary"
            isPending={send.isPending}
            isDisabled={isUploading || isRefused || isTooMany || hasNewFiles}
          >
            {send.isPending ? "Sending…" : isUploading ? "Waiting for uploads…" : "Send"}
          </Button>
          <Button look="quiet" onPress={() => (isTouched ? ask("discard") : discard())}>
            Discard
          </Button>
        </div>
      </FormWithFaults>
      {question === "send" && (
        <Question
          title={`Send the message without ${missing.join(" and ")}?`}
          yes="Send anyway"
          no="Keep writing"
          destroys={false}
          onYes={() => {
            ask(null);
            sendNow();
          }}
          onNo={() => ask(null)}
        />
      )}
      {question === "discard" && (
        <Question
          title="Discard this draft?"
          yes="Discard draft"
          no="Keep writing"
          onYes={discard}
          onNo={() => ask(null)}
        >
          <p>Its text and files cannot be restored.</p>
        </Question>
      )}
    </>
  );
};
