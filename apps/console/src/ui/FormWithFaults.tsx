import { type ReactNode, useEffect, useRef, useState } from "react";
import { Form } from "react-aria-components";

export interface FormWithFaultsProps {
  readonly className?: string;
  /** Sends what was entered. False: a field is at fault, and nothing was sent. */
  readonly onSubmit: () => boolean;
  /** Why the service refused it; null where it did not. */
  readonly error: unknown;
  readonly children: ReactNode;
}

/**
 * A form that leads to its first fault when it is refused, here or by the service: the field is scrolled to and focused,
 * so that a screen reader says its name and its fault. A fault of no field is an alert of its own, and is scrolled to.
 */
export const FormWithFaults = ({ className, onSubmit, error, children }: FormWithFaultsProps) => {
  const form = useRef<HTMLFormElement>(null);
  const [refusals, setRefusals] = useState(0);
  useEffect(() => {
    if (refusals > 0) leadToFault(form.current);
  }, [refusals]);
  useEffect(() => {
    if (error !== null) leadToFault(form.current);
  }, [error]);
  return (
    <Form
      ref={form}
      {...(className === undefined ? {} : { className })}
      validationBehavior="aria"
      onSubmit={(event) => {
        event.preventDefault();
        if (!onSubmit()) setRefusals((times) => times + 1);
      }}
    >
      {children}
    </Form>
  );
};

const leadToFault = (form: HTMLFormElement | null): void => {
  const field = form?.querySelector<HTMLElement>("[aria-invalid=true]");
  field?.focus({ preventScroll: true });
  (field ?? form?.querySelector("[role=alert]"))?.scrollIntoView({ block: "center" });
};
