import { ApiProblem } from "@postern/client/browser";
import { useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import { useIdentities } from "./fields/identities.ts";
import { Button } from "../ui/Button.tsx";
import { errorText, faultOf, titleOf } from "../ui/error-text.ts";
import { Field } from "../ui/forms/Field.tsx";
import { FormWithFaults } from "../ui/forms/FormWithFaults.tsx";
import { Question } from "../ui/popups/Question.tsx";
import { useUnloadWarning } from "../ui/unload-warning.ts";
import { AttachmentTray } from "./fields/AttachmentTray.tsx";
import { CarriedFiles } from "./fields/CarriedFiles.tsx";
import { useAttachments } from "./draft/attachments.ts";
import { discard } from "./draft/discard.ts";
import { missingParts } from "./draft/draft.ts";
import { listedFiles } from "./draft/draft-record.ts";
import type { Opening } from "./draft/saver-state.ts";
import { goBack } from "./sending/go-back.ts";
import { MessageField } from "./fields/MessageField.tsx";
import { useLimits } from "./draft/limits.ts";
import { usePeopleSeen } from "./fields/people-seen.ts";
import { RecipientField } from "./fields/RecipientField.tsx";
import { recipientsFault } from "./fields/recipients.ts";
import { SendLater, SendTimeQuestion } from "./sending/SendLater.tsx";
import { useSendKey } from "./sending/send-key.ts";
import { SenderChoice } from "./fields/SenderChoice.tsx";
import { changeSignature, senderOf } from "./signature.ts";
import { DraftConflict, SaveStatus } from "./draft/SaveStatus.tsx";
import { useDraft } from "./draft/useDraft.ts";
import { useSend } from "./sending/useSend.ts";
import { t } from "../texts/text.ts";

export interface ComposeFormProps {
  readonly account: string;
  readonly opening: Opening;
  /** Called when the draft gets an id on the service. */
  readonly onStored: (id: string) => void;
  /** Opens the service's version of the draft in place of this form. */
  readonly onReopen: (id: string) => void;
}

/** The form of a draft. Every change is saved; pressing Send several times sends the message once. */
export const ComposeForm = ({ account, opening, onStored, onReopen }: ComposeFormProps) => {
  const { saver, draft, stored, save, isKept } = useDraft(account, opening);
  const limits = useLimits();
  const attachments = useAttachments(saver, limits);
  const send = useSend(saver);
  const [hasCopies, showCopies] = useState(draft.cc !== "" || draft.bcc !== "");
  const [wasSubmitted, setSubmitted] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const [revision, setRevision] = useState(0);
  const [isChoosingTime, setChoosingTime] = useState(false);
  /** The time at which to send the submitted message; null for now. */
  const wanted = useRef<Date | null>(null);
  const [writesBody] = useState(draft.to !== "");
  const [, navigate] = useLocation();
  const { change } = saver;

  const people = usePeopleSeen();
  const identities = useIdentities().data ?? [];
  const sender = senderOf(draft.from, identities);
  const id = stored?.id ?? null;
  useEffect(() => {
    if (id !== null && id !== opening.stored?.id) onStored(id);
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [id]);

  const missing = missingParts(draft);
  const problem = send.error instanceof ApiProblem ? send.error : null;
  const fault = (field: string) => faultOf(problem, field);
  const toMissing = draft.to.trim() === "" ? t("Give at least one address.") : recipientsFault(draft.to);
  const toFault = (wasSubmitted ? toMissing : undefined) ?? fault("to");
  const isUploading = draft.files.some((file) => file.uploaded === null && file.fault === null);
  const isRefused = draft.files.some((file) => file.fault !== null);
  const isTooMany = limits !== undefined && draft.files.length > limits.maxAttachments;
  const isInConflict = save.is === "changed" || save.is === "gone";
  useUnloadWarning(!send.isSuccess && (isUploading || !isKept));

  const canSend = !isUploading && !isRefused && !isTooMany && !isInConflict;

  const sendNow = (): void => send.mutate(wanted.current, { onError: attachments.refuse });
  const submit = (): boolean => {
    if (!canSend || send.isPending) return true;
    setSubmitted(true);
    if (draft.to.trim() === "" || [draft.to, draft.cc, draft.bcc].some((text) => recipientsFault(text) !== undefined)) {
      return false;
    }
    if (missing.length === 0) sendNow();
    else setAsked(true);
    return true;
  };
  const submitAt = (at: Date | null): void => {
    wanted.current = at;
    form()?.requestSubmit();
  };
  useSendKey(() => submitAt(null));
  const discardIt = (): void => {
    const isEmpty = id === null && !saver.isDirty;
    saver.abandon(!isEmpty);
    if (!isEmpty) discard({ account, id, copy: saver.copy }, () => navigate(`/compose?kept=${saver.copy}`));
    goBack(navigate, "/mail/inbox");
  };
  const takeOther = (): void => {
    saver.abandon(true);
    discard({ account, id: null, copy: saver.copy }, () => navigate(`/compose?kept=${saver.copy}`));
    onReopen(id!);
  };

  return (
    <>
      <FormWithFaults className="compose-form" onSubmit={submit} error={send.error}>
        <DraftConflict save={save} saver={saver} onTakeOther={takeOther} />
        <SenderChoice
          identities={identities}
          sender={sender}
          fault={
            problem?.code === "sender_not_allowed" || problem?.code === "sender_refused" ? titleOf(problem) : undefined
          }
          onChange={(chosen) => {
            change({ from: chosen.id, ...changeSignature(draft, chosen, sender) });
            setRevision(revision + 1);
          }}
        />
        <RecipientField
          label={t("To")}
          value={draft.to}
          people={people}
          onChange={(to) => change({ to })}
          autoFocus={!writesBody}
          isRequired
          fault={toFault}
        />
        {hasCopies ? (
          <>
            <RecipientField
              label={t("Cc")}
              value={draft.cc}
              people={people}
              onChange={(cc) => change({ cc })}
              fault={wasSubmitted ? (recipientsFault(draft.cc) ?? fault("cc")) : fault("cc")}
            />
            <RecipientField
              label={t("Bcc")}
              value={draft.bcc}
              people={people}
              onChange={(bcc) => change({ bcc })}
              fault={wasSubmitted ? (recipientsFault(draft.bcc) ?? fault("bcc")) : fault("bcc")}
            />
          </>
        ) : (
          <Button look="quiet" className="copies" onPress={() => showCopies(true)}>
            {t("Add Cc or Bcc")}
          </Button>
        )}
        <Field
          label={t("Subject")}
          value={draft.subject}
          onChange={(subject) => change({ subject })}
          fault={fault("subject")}
        />
        <MessageField
          draft={draft}
          revision={revision}
          onChange={change}
          onPicture={attachments.add}
          onFile={(file) => attachments.add(file)}
          autoFocus={writesBody}
          fault={fault("html") ?? fault("text")}
        />
        {draft.hidden.forwardOf !== undefined && <CarriedFiles id={draft.hidden.forwardOf} />}
        <AttachmentTray
          files={listedFiles(draft)}
          limits={limits}
          onAdd={(file) => attachments.add(file)}
          onRemove={attachments.remove}
        />
        {isTooMany && (
          <p className="fault">
            {t("A message can have {count, plural, one {# file} other {# files}} at most. Remove some files.", {
              count: limits.maxAttachments,
            })}
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
            isDisabled={!canSend}
            onPress={() => {
              wanted.current = null;
            }}
          >
            {t(send.isPending ? "Sending…" : isUploading ? "Waiting for uploads…" : "Send")}
          </Button>
          <SendLater
            isDisabled={!canSend || send.isPending}
            onChoose={submitAt}
            onOther={() => setChoosingTime(true)}
          />
          <Button look="quiet" onPress={discardIt}>
            {t("Discard")}
          </Button>
          <SaveStatus save={save} isKept={isKept} />
        </div>
      </FormWithFaults>
      {isChoosingTime && (
        <SendTimeQuestion
          onClose={() => setChoosingTime(false)}
          onChoose={(at) => {
            setChoosingTime(false);
            submitAt(at);
          }}
        />
      )}
      {isAsked && (
        <Question
          title={t(
            missing.length > 1
              ? "Send the message without a subject and text?"
              : missing[0] === "subject"
                ? "Send the message without a subject?"
                : "Send the message without text?",
          )}
          yes={t("Send anyway")}
          no={t("Keep writing")}
          destroys={false}
          onYes={() => {
            setAsked(false);
            sendNow();
          }}
          onNo={() => setAsked(false)}
        />
      )}
    </>
  );
};

const form = (): HTMLFormElement | null => document.querySelector(".compose-form");
