import type { ReactNode } from "react";
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from "react-aria-components";

export interface ButtonProps extends Omit<AriaButtonProps, "className" | "children" | "style"> {
  readonly look?: "plain" | "primary" | "danger" | "quiet";
  /** The accessible name of a button that has only an icon. */
  readonly label?: string;
  readonly icon?: ReactNode;
  readonly children?: ReactNode;
  readonly className?: string;
}

/**
 * A button with an icon, words or both. While its request is pending, it does nothing and keeps the focus.
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
