import type { ApiAnswer, ApiRequest } from "@postern/client/browser";
import { useQuery } from "@tanstack/react-query";
import { markText, type Text } from "../../texts/text.ts";
import { queries } from "../../api/client.ts";
import { adminApi } from "../records/admin-key.ts";
import { everyPage } from "../../ui/paged.ts";

export type ServiceKey = ApiAnswer<"GET /api/keys">["data"][number];
export type NewServiceKey = ApiRequest<"POST /api/keys">["payload"];
export type Scope = ServiceKey["scopes"][number];

/** The scopes of a service key, with the operations that each allows (spec 10.2). */
export const SCOPES: ReadonlyArray<readonly [Scope, Text]> = [
  ["accounts:read", markText("Read accounts and their states")],
  ["accounts:write", markText("Add, change, verify and delete accounts")],
  ["mail:read", markText("Read folders and messages, search, download")],
  ["mail:write", markText("Change flags, move and delete messages, manage folders")],
  ["mail:organize", markText("Only change flags and move messages, also to Trash")],
  ["mail:delete", markText("Only delete messages permanently and manage folders")],
  ["mail:draft", markText("Write drafts, upload files")],
  ["mail:send", markText("Send messages, manage the outbox, upload files")],
  ["events", markText("Follow events, manage webhook endpoints")],
];

export const useServiceKeys = () =>
  useQuery({
    queryKey: ["admin", "keys"],
    queryFn: ({ signal }) => everyPage((at) => adminApi("GET /api/keys", { query: at, signal })),
  });

/** Fetches the keys and the applications again, because an application exists as long as it has a key. */
export const refetchKeys = (): Promise<unknown> =>
  Promise.all([
    queries.invalidateQueries({ queryKey: ["admin", "keys"] }),
    queries.invalidateQueries({ queryKey: ["admin", "applications"] }),
  ]);

/** Returns the path of the page of an application. */
export const applicationPath = (name: string): string =>
  `/accounts/applications?${new URLSearchParams({ name }).toString()}`;
