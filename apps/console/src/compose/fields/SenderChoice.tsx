import { type Identity, senderText } from "./identities.ts";
import { Choice } from "../../ui/forms/Choice.tsx";

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
          label="From"
          value={sender?.id ?? ""}
          options={usable.map((one) => ({ id: one.id, name: senderText(one) }))}
          onChange={(id) => {
            const chosen = usable.find((one) => one.id === id);
            if (chosen !== undefined) onChange(chosen);
          }}
        />
      ) : (
        <p className="sender soft small" dir="auto">
          From {sender === undefined ? "your address" : senderText(sender)}
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
