import { errorText } from "./error-text.ts";

/** Says at once, also to a screen reader, why an action failed. */
export const ErrorAlert = ({ error }: { readonly error: unknown }) => (
  <p className="notice bad" role="alert">
    {errorText(error)}
  </p>
);
