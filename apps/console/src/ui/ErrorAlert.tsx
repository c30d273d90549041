import { errorText } from "./error-text.ts";

/** Shows the reason why an action failed; screen readers announce it at once. */
export const ErrorAlert = ({ error }: { readonly error: unknown }) => (
  <p className="notice bad" role="alert">
    {errorText(error)}
  </p>
);
