import { type KeyboardEvent, useId, useRef, useState } from "react";
import { mailbox } from "../../mail/emails/people.ts";
import { Button } from "../../ui/Button.tsx";
import { X } from "../../ui/icons/icons.tsx";
import { useContacts } from "./contacts.ts";
import { isRecipient, matchPeople, type Person, shownAs, splitRecipients, withContacts } from "./recipients.ts";
import { t } from "../../texts/text.ts";

export interface RecipientFieldProps {
  readonly label: string;
  /** The initial recipients, separated by commas. */
  readonly value: string;
  readonly people: ReadonlyArray<Person>;
  readonly onChange: (value: string) => void;
  readonly autoFocus?: boolean;
  readonly isRequired?: boolean;
  readonly fault: string | undefined;
}

/**
 * The entered recipients of a message, and a field that completes names from seen mail. It is a combo box according to
 * the ARIA practices; react-aria's combo box hides the rest of the page while its list is open.
 */
export const RecipientField = ({
  label,
  value,
  people,
  onChange,
  autoFocus,
  isRequired,
  fault,
}: RecipientFieldProps) => {
  const id = useId();
  const [entered, setEntered] = useState(() => splitRecipients(value));
  const [typed, setTyped] = useState("");
  const [isClosed, setClosed] = useState(false);
  const [at, setAt] = useState(-1);
  const input = useRef<HTMLInputElement>(null);
  const contacts = useContacts(typed);
  const matches = isClosed ? [] : matchPeople(withContacts(contacts, people), typed, entered);

  const become = (recipients: ReadonlyArray<string>, rest: string): void => {
    setEntered(recipients);
    setTyped(rest);
    setClosed(false);
    setAt(-1);
    onChange([...recipients, rest.trim()].filter((one) => one !== "").join(", "));
  };
  const enter = (text: string): void => become([...entered, ...splitRecipients(text)], "");
  const type = (text: string): void => {
    const parts = splitRecipients(text);
    // In a pasted list, all recipients except the last are complete.
    if (/[,;\n]\s*$/.test(text)) enter(text);
    else if (parts.length > 1) become([...entered, ...parts.slice(0, -1)], parts.at(-1)!);
    else become(entered, text);
  };
  const remove = (n: number): void => {
    become(entered.toSpliced(n, 1), typed);
    input.current?.focus();
  };
  const complete = (): void => {
    if (typed.trim() === "") return;
    const chosen = matches[at] ?? (isRecipient(typed) ? undefined : matches[0]);
    enter(chosen === undefined ? typed : mailbox(chosen));
  };

  const press = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey) return;
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0 && matches.length > 0) setAt((at + step + matches.length) % matches.length);
    else if (event.key === "Escape" && matches.length > 0) setClosed(true);
    else if (event.key === "Backspace" && typed === "" && entered.length > 0) {
      become(entered.slice(0, -1), entered.at(-1)!);
      // Enter must not send the message while the user types recipients.
    } else if (event.key === "Enter") complete();
    else {
      if (event.key === "Tab") complete();
      return;
    }
    event.preventDefault();
  };

  return (
    <div className="field recipients">
      <label htmlFor={id}>{label}</label>
      <div className={fault === undefined ? "input chips" : "input chips wrong"}>
        <Entered label={label} recipients={entered} onRemove={remove} />
        <input
          ref={input}
          id={id}
          className="chip-input"
          role="combobox"
          aria-expanded={matches.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={at < 0 ? undefined : `${id}-${at}`}
          aria-invalid={fault !== undefined}
          aria-required={isRequired === true}
          aria-describedby={`${id}-hint`}
          value={typed}
          onChange={(event) => type(event.target.value)}
          onKeyDown={press}
          onBlur={() => typed.trim() !== "" && enter(typed)}
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus={autoFocus === true}
          dir="auto"
          autoComplete="off"
          spellCheck={false}
        />
        <ul
          id={`${id}-list`}
          role="listbox"
          aria-label={t("People for {field}", { field: label })}
          className="popover suggestions"
          hidden={matches.length === 0}
        >
          {matches.map((person, n) => (
            // The field handles the keys, and names the active option (the pattern of a combobox).
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
            <li
              key={person.address}
              id={`${id}-${n}`}
              role="option"
              aria-selected={n === at}
              className="option"
              data-focused={n === at || undefined}
              // The field keeps the focus.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => enter(mailbox(person))}
            >
              <span dir="auto">{person.name === "" ? person.address : person.name}</span>
              {person.name !== "" && <span className="soft small">{person.address}</span>}
            </li>
          ))}
        </ul>
      </div>
      <span id={`${id}-hint`} className={fault === undefined ? "unseen" : "fault"}>
        {fault ?? t("Type a name or an address. Enter or a comma adds it, Backspace removes the last one.")}
      </span>
    </div>
  );
};

interface EnteredProps {
  readonly label: string;
  readonly recipients: ReadonlyArray<string>;
  readonly onRemove: (n: number) => void;
}

const Entered = ({ label, recipients, onRemove }: EnteredProps) => {
  if (recipients.length === 0) return null;
  return (
    <ul className="chip-list" aria-label={t("{field}, entered", { field: label })}>
      {recipients.map((recipient, n) => (
        // oxlint-disable-next-line react/no-array-index-key -- the same recipient may be entered twice
        <li key={`${n} ${recipient}`} className={isRecipient(recipient) ? "chip" : "chip bad"} title={recipient}>
          <span dir="auto">{shownAs(recipient)}</span>
          <Button
            look="quiet"
            label={t("Remove {name}", { name: shownAs(recipient) })}
            icon={<X size={14} aria-hidden />}
            onPress={() => onRemove(n)}
          />
        </li>
      ))}
    </ul>
  );
};
