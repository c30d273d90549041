import type { ComponentProps } from "react";
import { FieldError, Input, Label, Text, TextArea, TextField, type TextFieldProps } from "react-aria-components";

export interface FieldProps extends Omit<TextFieldProps, "children" | "className"> {
  readonly label: string;
  readonly hint?: string | undefined;
  /** The fault of the value, shown in place of the hint. */
  readonly fault?: string | undefined;
  readonly rows?: number;
  readonly inputProps?: ComponentProps<typeof Input>;
}

/** A labelled text field with a hint or a fault. */
export const Field = ({ label, hint, fault, rows, inputProps, ...rest }: FieldProps) => (
  <TextField {...rest} isInvalid={fault !== undefined} validationBehavior="aria" className="field">
    <Label>{label}</Label>
    {rows === undefined ? (
      <Input className="input" dir="auto" {...inputProps} />
    ) : (
      <TextArea className="input" dir="auto" rows={rows} />
    )}
    {fault === undefined && hint !== undefined && (
      <Text slot="description" className="hint">
        {hint}
      </Text>
    )}
    <FieldError className="fault">{fault}</FieldError>
  </TextField>
);
