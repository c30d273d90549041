import { type ReactNode, useEffect, useRef, useState } from "react";
import { Form } from "react-aria-components";

export interface FormWithFaultsProps {
  readonly className?: string;
  /** Submits the form; returns false without a request if a field has a fault. */
  readonly onSubmit: () => boolean;
  /** The service's refusal, or null. */
  readonly error: unknown;
  readonly children: ReactNode;
}

/**
 * A form that shows its first fault when the page or the service refuses it. The field of the fault is scrolled to and
 * focused, so that a screen reader reads the name and the fault. A fault without a field is an alert, and is scrolled
 * to.
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
