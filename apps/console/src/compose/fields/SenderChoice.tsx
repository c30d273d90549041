import { type Identity, senderText } from "./identities.ts";
import { Choice } from "../../ui/forms/Choice.tsx";
import { t } from "../../texts/text.ts";

export interface SenderChoiceProps {
  readonly identities: ReadonlyArray<Identity>;
  /** The sender; undefined if the draft names a sender without an identity of the account. */
  readonly sender: Identity | undefined;
  readonly fault: string | undefined;
  readonly onChange: (sender: Identity) => void;
}

/** The sender of a draft, with a choice if the account has several senders. */
export const SenderChoice = ({ identities, sender, fault, onChange }: SenderChoiceProps) => {
  const usable = identities.filter(({ verified }) => verified);
  return (
    <div>
      {usable.length > 1 || (usable.length === 1 && sender === undefined) ? (
        <Choice
          label={t("From")}
          value={sender?.id ?? ""}
          options={usable.map((one) => ({ id: one.id, name: senderText(one) }))}
          onChange={(id) => {
            const chosen = usable.find((one) => one.id === id);
            if (chosen !== undefined) onChange(chosen);
          }}
        />
      ) : (
        <p className="sender soft small" dir="auto">
          {sender === undefined ? t("From your address") : t("From {sender}", { sender: senderText(sender) })}
        </p>
      )}
      {fault !== undefined && (
        <p className="fault" role="alert">
          {fault}
        </p>
      )}
    </div>
  );
};
