import type { ApiAnswer, ApiRequest } from "@postern/client/browser";
import { useQuery } from "@tanstack/react-query";
import { queries } from "../../api/client.ts";
import { adminApi } from "../records/admin-key.ts";

export type ServiceKey = ApiAnswer<"GET /api/keys">["data"][number];
export type NewServiceKey = ApiRequest<"POST /api/keys">["payload"];
export type Scope = ServiceKey["scopes"][number];

/** The scopes of a service key, and what each allows (spec 10.2). */
export const SCOPES: ReadonlyArray<readonly [Scope, string]> = [
  ["accounts:read", "Read accounts and their states"],
  ["accounts:write", "Add, change, verify and delete accounts"],
  ["mail:read", "Read folders and messages, search, download"],
  ["mail:write", "Change flags, move and delete messages, manage folders"],
  ["mail:organize", "Only change flags, move messages, also to Trash"],
  ["mail:delete", "Only delete messages permanently, manage folders"],
  ["mail:draft", "Write drafts, upload files"],
  ["mail:send", "Send messages, manage the outbox, upload files"],
  ["events", "Follow events, manage webhook endpoints"],
];

export const useServiceKeys = () =>
  useQuery({
    queryKey: ["admin", "keys"],
    queryFn: async ({ signal }) => (await adminApi("GET /api/keys", { signal })).data,
  });

export const keysChanged = (): Promise<void> => queries.invalidateQueries({ queryKey: ["admin", "keys"] });
