import { Context } from "effect";
import type { OAuthApp } from "./OAuthApp.ts";

/** The operator's settings for OAuth2. */
export const OAuthSettings = Context.Reference<{
  /** `OAUTH_APPS`: the apps from the settings. */
  readonly apps: ReadonlyArray<OAuthApp>;
  /** `BASE_URL`, with which every link starts. */
  readonly baseUrl: string;
  /** `OPERATOR_NAME`: the operator's name, as users see it; null if no name is shown. */
  readonly operatorName: string | null;
}>("@postern/core/oauth/OAuthSettings", { defaultValue: () => ({ apps: [], baseUrl: "", operatorName: null }) });
