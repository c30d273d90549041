import type { ApiAnswer, ApiRequest } from "@postern/client/browser";
import { useQuery } from "@tanstack/react-query";
import { queries } from "../../api/client.ts";
import { adminApi } from "../records/admin-key.ts";

export type OAuthApp = ApiAnswer<"GET /api/oauth/apps">["data"][number];
export type NewOAuthApp = ApiRequest<"POST /api/oauth/apps">["payload"];

/** The OAuth2 apps, and the redirect URI to register at their providers (spec 11.1). */
export const useOAuthApps = () =>
  useQuery({
    queryKey: ["admin", "oauth-apps"],
    queryFn: ({ signal }) => adminApi("GET /api/oauth/apps", { signal }),
  });

export const refetchOAuthApps = (): Promise<void> => queries.invalidateQueries({ queryKey: ["admin", "oauth-apps"] });
