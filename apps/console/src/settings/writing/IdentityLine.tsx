import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { t } from "../../texts/text.ts";
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
    onSuccess: () => toast(t("Sender deleted.")),
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
    onSuccess: () => toast(t("Another link was sent to {address}.", { address })),
    onError: (error) => toast(errorText(error)),
    onSettled: readIdentitiesAgain,
  });
  return (
    <li className="line">
      <div className="line-main">
        <p className="line-name">
          <bdi>{name || address}</bdi> {isDefault && <span className="tag good">{t("default")}</span>}
          {!verified && <span className="tag warn">{t("not verified")}</span>}
        </p>
        <p className="soft small">
          {name !== "" && address}{" "}
          {!verified && t("Open the link in the mail to this address, then messages may be sent from it.")}
        </p>
      </div>
      <div className="buttons">
        {!verified && (
          <Button
            aria-label={t("Send the link to {address} again", { address })}
            isPending={verify.isPending}
            onPress={() => verify.mutate()}
          >
            {t("Send link again")}
          </Button>
        )}
        <Button aria-label={t("Change {address}", { address })} onPress={onChange}>
          {t("Change")}
        </Button>
        {!isOwn && (
          <Button look="danger" aria-label={t("Delete {address}", { address })} onPress={() => setAsked(true)}>
            {t("Delete")}
          </Button>
        )}
      </div>
      {isAsked && (
        <Question
          title={t("Delete the sender {address}?", { address })}
          yes={t("Delete sender")}
          no={t("Cancel")}
          onYes={() => {
            setAsked(false);
            remove.mutate();
          }}
          onNo={() => setAsked(false)}
        >
          <p>{t("New messages can no longer be sent from this address. Its name and signature are deleted.")}</p>
        </Question>
      )}
    </li>
  );
};
