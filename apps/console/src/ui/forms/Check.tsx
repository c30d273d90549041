import { Check as Tick } from "../icons/icons.tsx";
import type { ReactNode } from "react";
import { Checkbox, type CheckboxProps } from "react-aria-components";

/** A checkbox. */
export const Check = ({
  children,
  ...rest
}: Omit<CheckboxProps, "children" | "className"> & { children?: ReactNode }) => (
  <Checkbox {...rest} className="check">
    <span className="check-box" aria-hidden>
      <Tick size={14} strokeWidth={3} />
    </span>
    {children}
  </Checkbox>
);
