import { ApiProblem } from "@postern/client/browser";
import { useMutation } from "@tanstack/react-query";
import { Paperclip } from "lucide-react";
import { useState } from "react";
import { Form } from "react-aria-components";
import { useLocation } from "wouter";
import { api, queries } from "../api/client.ts";
import type { Message } from "../mail/message.ts";
import { mark } from "../mail/message-actions.ts";
import { Button } from "../ui/Button.tsx";
import { Field } from "../ui/Field.tsx";
import { detailOf, titleOf } from "../ui/State.tsx";
import { toast } from "../ui/toast.ts";
import { AttachmentTray } from "./AttachmentTray.tsx";
import { type Limits, useAttachments } from "./attachments.ts";
import type { Draft, Way } from "./draft.ts";
import { dropDraft, keepDraft } from "./kept-draft.ts";
import { payloadOf } from "./payload-of.ts";

export interface ComposeFormProps {
  readonly about: string;
  readonly initial: Draft;
  readonly original: { readonly way: Way; readonly message: Message } | null;
  readonly limits: Limits | undefined;
}

/** The message itself. It is kept while it is written, and sent once however often the button is pressed. */
export const ComposeForm = ({ about, initial, original, limits }: ComposeFormProps) => {
  const [draft, setDraft] = useState(initial);
  const [hasCopies, showCopies] = useState(initial.cc !== "" || initial.bcc !== "");
  const attachments = useAttachments(limits);
  const [, navigate] = useLocation();

  const carried = original?.way === "forward" ? original.message.attachments.filter(({ inline }) => !inline) : [];

  const change = (part: Partial<Draft>): void => {
    const next = { ...draft, ...part, key: crypto.randomUUID() };
    setDraft(next);
    keepDraft(about, next);
  };

  const send = useMutation({
    mutationFn: () =>
      api("POST /api/send", {
        headers: { "idempotency-key": draft.key },
        payload: payloadOf(draft, attachments.all),
      }),
    onSuccess: ({ status, rejected }) => {
      dropDraft(about);
      if (original !== null && original.way !== "forward") void mark(original.message.id, { answered: true });
      void queries.invalidateQueries({ queryKey: ["outbox"] });
      void queries.invalidateQueries({ queryKey: ["emails", { folder: "sent" }] });
      const refused = rejected.length === 0 ? "" : ` Not to ${rejected.map(({ recipient }) => recipient).join(", ")}.`;
      toast(status === "sent" ? `Sent.${refused}` : "It is in the outbox, and goes out when the mail server takes it.");
      navigate(original === null ? "/outbox" : "/mail/inbox");
    },
  });
  const problem = send.error instanceof ApiProblem ? send.error : null;
  const fault = (field: string) => problem?.fault(field);
  const isUploading = attachments.all.some(({ uploaded, fault: one }) => uploaded === null && one === null);
  const isRefused = attachments.all.some((one) => one.fault !== null);
  const isTooMany = limits !== undefined && attachments.all.length > limits.maxAttachments;

  return (
    <Form
      className="compose-form"
      onSubmit={(event) => {
        event.preventDefault();
        send.mutate();
      }}
    >
      <Field
        label="To"
        value={draft.to}
        onChange={(to) => change({ to })}
        autoFocus={draft.to === ""}
        isRequired
        hint="Addresses with commas between."
        fault={fault("to")}
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
        autoFocus={draft.to !== ""}
        rows={14}
        fault={fault("text")}
      />
      {carried.length > 0 && (
        <p className="notice">
          <Paperclip size={17} aria-hidden />
          Forwarded with it: {carried.map(({ name }) => name ?? "a file without a name").join(", ")}
        </p>
      )}
      <AttachmentTray
        attachments={attachments.all}
        limits={limits}
        onAdd={attachments.add}
        onRemove={attachments.remove}
      />
      {isTooMany && <p className="fault">A message takes {limits.maxAttachments} files. Remove some.</p>}
      {send.isError && (
        <p className="notice bad" role="alert">
          {titleOf(send.error)} {detailOf(send.error)}
        </p>
      )}
      <div className="buttons">
        <Button
          type="submit"
          look="primary"
          isPending={send.isPending}
          isDisabled={isUploading || isRefused || isTooMany}
        >
          {send.isPending ? "Sending…" : isUploading ? "Waiting for the files…" : "Send"}
        </Button>
        <Button
          look="quiet"
          onPress={() => {
            dropDraft(about);
            if (history.length > 1) history.back();
            else navigate("/mail/inbox");
          }}
        >
          Discard
        </Button>
      </div>
    </Form>
  );
};
