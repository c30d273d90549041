import { type Identity, senderText } from "./identities.ts";
import { Choice } from "../../ui/forms/Choice.tsx";

export interface SenderChoiceProps {
  readonly identities: ReadonlyArray<Identity>;
  /** Undefined: the draft names a sender that the account has no identity for. */
  readonly sender: Identity | undefined;
  readonly fault: string | undefined;
  readonly onChange: (sender: Identity) => void;
}

/** The sender of a draft, to choose if the account has several. */
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
