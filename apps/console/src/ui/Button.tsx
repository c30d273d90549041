import type { ReactNode } from "react";
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from "react-aria-components";

export interface ButtonProps extends Omit<AriaButtonProps, "className" | "children" | "style"> {
  readonly look?: "plain" | "primary" | "danger" | "quiet";
  /** Of a button that is an icon alone, its name. */
  readonly label?: string;
  readonly icon?: ReactNode;
  readonly children?: ReactNode;
  readonly className?: string;
}

/**
 * A button, with an icon before its words or in place of them. While what it asked for is under way it does nothing, and
 * keeps the focus.
 */
export const Button = ({
  look = "plain",
  label,
  icon,
  children,
  className = "",
  isPending = false,
  ...rest
}: ButtonProps) => (
  <AriaButton
    {...rest}
    {...(isPending ? { onPress: ignore, type: "button", "aria-disabled": true } : {})}
    {...(label === undefined ? {} : { "aria-label": label })}
    className={`button ${look} ${children === undefined ? "icon" : ""} ${className}`}
  >
    {icon}
    {children}
  </AriaButton>
);

const ignore = (): void => {};
