import { Label, Radio, RadioGroup } from "react-aria-components";

export interface RadioOption {
  readonly id: string;
  readonly name: string;
  readonly hint?: string;
}

export interface RadiosProps {
  readonly label: string;
  readonly value: string;
  readonly options: ReadonlyArray<RadioOption>;
  readonly onChange: (id: string) => void;
}

/** A choice of one option, with all options in view. */
export const Radios = ({ label, value, options, onChange }: RadiosProps) => (
  <RadioGroup className="radios" value={value} onChange={onChange}>
    <Label className="label">{label}</Label>
    {options.map(({ id, name, hint }) => (
      <Radio key={id} value={id} className="check radio">
        <span className="check-box" aria-hidden />
        <span>
          {name}
          {hint !== undefined && <span className="hint radio-hint">{hint}</span>}
        </span>
      </Radio>
    ))}
  </RadioGroup>
);
