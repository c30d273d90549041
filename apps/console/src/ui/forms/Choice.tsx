import { ChevronDown } from "../icons/icons.tsx";
import { Button, Label, ListBox, ListBoxItem, Popover, Select, SelectValue } from "react-aria-components";

export interface ChoiceOption {
  readonly id: string;
  readonly name: string;
}

export interface ChoiceProps {
  readonly label: string;
  readonly hideLabel?: boolean;
  readonly value: string;
  readonly options: ReadonlyArray<ChoiceOption>;
  readonly onChange: (id: string) => void;
}

/** A select box. */
export const Choice = ({ label, hideLabel = false, value, options, onChange }: ChoiceProps) => (
  <Select
    className="field"
    value={value}
    onChange={(id) => id !== null && onChange(String(id))}
    {...(hideLabel ? { "aria-label": label } : {})}
  >
    {!hideLabel && <Label className="label">{label}</Label>}
    <Button className="button select-button">
      <SelectValue />
      <ChevronDown size={16} aria-hidden />
    </Button>
    <Popover className="popover">
      <ListBox items={options}>
        {(option) => (
          <ListBoxItem id={option.id} textValue={option.name} className="option">
            {option.name}
          </ListBoxItem>
        )}
      </ListBox>
    </Popover>
  </Select>
);
