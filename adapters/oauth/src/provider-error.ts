import {
  AppMisconfigured,
  GrantRefused,
  type ProviderError,
  providerFault,
  ProviderUnavailable,
} from "@postern/core/oauth";
import * as oauth from "oauth4webapi";
import { KeyUnusable } from "./client-authentication.ts";
import { NotAnswered } from "./guarded-fetch.ts";

/** Converts an error of the library or of the fetch. A provider's error code is used only if its answer follows the OAuth 2.0 protocol. */
export const providerError = (error: unknown): ProviderError => {
  if (error instanceof KeyUnusable) return new AppMisconfigured({ fault: "client_secret_wrong" });
  if (codeOf(error) === oauth.MISSING_SERVER_METADATA) return new AppMisconfigured({ fault: "client_refused" });
  const response = responseOf(error);
  const isRefusal = error instanceof oauth.ResponseBodyError && error.status !== 429;
  const said = isRefusal ? providerFault(error.error, descriptionOf(error)) : undefined;
  if (said?._tag === "Grant") return new GrantRefused({ fault: said.fault });
  if (said?._tag === "App") return new AppMisconfigured({ fault: said.fault });
  return new ProviderUnavailable({ retryAfter: retryAfterOf(response?.headers.get("retry-after")) });
};

/** Returns the description of a refusal. For Microsoft, returns the error number from the separate list, because the description only repeats it. */
const descriptionOf = ({ cause, error_description: description }: oauth.ResponseBodyError): string | undefined => {
  const { error_codes: codes } = cause;
  return Array.isArray(codes) && typeof codes[0] === "number" ? `AADSTS${codes[0]}` : description;
};

/** Returns the reason of a failed operation, without any text of the provider or the app. */
export const reasonOf = (error: unknown): string => {
  if (error instanceof NotAnswered) return error.code;
  if (error instanceof oauth.ResponseBodyError) return `${error.status} ${error.error}`.slice(0, 100);
  const status = responseOf(error)?.status;
  return [codeOf(error), status].filter(Boolean).join(" ");
};

const codeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return "failed";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
};

const responseOf = (error: unknown): Response | undefined => {
  if (error instanceof oauth.ResponseBodyError) return error.response;
  return error instanceof Error && error.cause instanceof Response ? error.cause : undefined;
};

/** Returns the wait of a `Retry-After` field in milliseconds; null for a date and for an invalid value. */
const retryAfterOf = (field: string | null | undefined): number | null =>
  field !== null && field !== undefined && /^\d{1,7}$/.test(field) ? Number(field) * 1_000 : null;
