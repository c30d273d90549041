import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api } from "../../api/client.ts";
import { setUndoSeconds, UNDO_CHOICES, undoSeconds } from "../../compose/text/writing-settings.ts";
import { Bones } from "../../ui/Bones.tsx";
import { Button } from "../../ui/Button.tsx";
import { Choice } from "../../ui/forms/Choice.tsx";
import { errorText } from "../../ui/error-text.ts";
import { Failed } from "../../ui/Failed.tsx";
import { Plus } from "../../ui/icons/icons.tsx";
import { Question } from "../../ui/popups/Question.tsx";
import { toast } from "../../ui/toast.ts";
import { type Identity, readIdentitiesAgain, useIdentities } from "../../compose/fields/identities.ts";
import { IdentityForm } from "./IdentityForm.tsx";

const UNDO_OPTIONS = UNDO_CHOICES.map((seconds) => ({
  id: String(seconds),
  name: seconds === 0 ? "Off: send at once" : `${seconds} seconds`,
}));

/** The senders of the account with their signatures, and how this browser sends. */
export const WritingSettings = () => {
  const identities = useIdentities();
  const [open, setOpen] = useState<Identity | "new" | null>(null);
  const [undo, setUndo] = useState(() => String(undoSeconds()));
  useEffect(() => {
    document.title = "Writing · Postern";
  }, []);
  return (
    <>
      <header className="page-head">
        <h1>Writing</h1>
        <Button look="primary" icon={<Plus size={17} aria-hidden />} onPress={() => setOpen("new")}>
          Add sender
        </Button>
      </header>
      <p className="intro">The names, addresses and signatures that you send mail with.</p>
      {identities.isPending ? (
        <Bones rows={2} label="the senders" />
      ) : identities.isError ? (
        <Failed error={identities.error} onRetry={identities.refetch} />
      ) : (
        <ul className="lines">
          {identities.data.map((identity, n) => (
            <IdentityLine key={identity.id} identity={identity} isOwn={n === 0} onChange={() => setOpen(identity)} />
          ))}
        </ul>
      )}
      <section className="writing-choices" aria-label="Sending">
        <Choice
          label="Time to undo sending, in this browser"
          value={undo}
          options={UNDO_OPTIONS}
          onChange={(seconds) => {
            setUndo(seconds);
            setUndoSeconds(Number(seconds));
          }}
        />
      </section>
      {open !== null && <IdentityForm identity={open === "new" ? null : open} onClose={() => setOpen(null)} />}
    </>
  );
};

interface IdentityLineProps {
  readonly identity: Identity;
  readonly isOwn: boolean;
  readonly onChange: () => void;
}

const IdentityLine = ({ identity, isOwn, onChange }: IdentityLineProps) => {
  const { id, name, address, isDefault, verified } = identity;
  const [isAsked, setAsked] = useState(false);
  const remove = useMutation({
    mutationFn: () => api("DELETE /api/identities/:id", { params: { id } }),
    onSuccess: () => toast("Sender deleted."),
    onError: (error) => toast(errorText(error)),
    onSettled: readIdentitiesAgain,
  });
  // The service sends the link when an address is added.
  const verify = useMutation({
    mutationFn: async () => {
      const { replyTo, signatureText, signatureHtml } = identity;
      await api("DELETE /api/identities/:id", { params: { id } });
      await api("POST /api/identities", { payload: { name, address, replyTo, signatureText, signatureHtml } });
    },
    onSuccess: () => toast(`Another link was sent to ${address}.`),
    onError: (error) => toast(errorText(error)),
    onSettled: readIdentitiesAgain,
  });
  return (
    <li className="line">
      <div className="line-main">
        <p className="line-name" dir="auto">
          {name || address} {isDefault && <span className="tag good">default</span>}
          {!verified && <span className="tag warn">not verified</span>}
        </p>
        <p className="soft small">
          {name !== "" && address}
          {!verified && " Open the link in the mail to this address, then messages may be sent from it."}
        </p>
      </div>
      <div className="buttons">
        {!verified && (
          <Button
            aria-label={`Send the link to ${address} again`}
            isPending={verify.isPending}
            onPress={() => verify.mutate()}
          >
            Send link again
          </Button>
        )}
        <Button aria-label={`Change ${address}`} onPress={onChange}>
          Change
        </Button>
        {!isOwn && (
          <Button look="danger" aria-label={`Delete ${address}`} onPress={() => setAsked(true)}>
            Delete
          </Button>
        )}
      </div>
      {isAsked && (
        <Question
          title={`Delete the sender ${address}?`}
          yes="Delete sender"
          no="Cancel"
          onYes={() => {
            setAsked(false);
            remove.mutate();
          }}
          onNo={() => setAsked(false)}
        >
          <p>New messages cannot be sent from it any more. Its name and signature are deleted.</p>
        </Question>
      )}
    </li>
  );
};
