import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { type Identity, readIdentitiesAgain } from "../../compose/fields/identities.ts";
import { Button } from "../../ui/Button.tsx";
import { errorText } from "../../ui/error-text.ts";
import { Question } from "../../ui/popups/Question.tsx";
import { toast } from "../../ui/toast.ts";

interface IdentityLineProps {
  readonly identity: Identity;
  readonly isOwn: boolean;
  readonly onChange: () => void;
}

/** A sender with its actions. */
export const IdentityLine = ({ identity, isOwn, onChange }: IdentityLineProps) => {
  const { id, name, address, isDefault, verified } = identity;
  const [isAsked, setAsked] = useState(false);
  const remove = useMutation({
    mutationFn: () => api("DELETE /api/identities/:id", { params: { id } }),
    onSuccess: () => toast("Sender deleted."),
    onError: (error) => toast(errorText(error)),
    onSettled: readIdentitiesAgain,
  });
  // The service sends the verification link when an address is added.
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
