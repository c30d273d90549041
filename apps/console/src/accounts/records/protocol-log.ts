import { useQuery } from "@tanstack/react-query";
import { queries } from "../../api/client.ts";
import { adminApi } from "./admin-key.ts";

const POLL_MILLIS = 2_000;

const keyOf = (id: string) => ["admin", "protocol-log", id];

/** Returns whether the first line of a log says that the log is being recorded. */
const isRecorded = (text: string | undefined): boolean => / recorded until /.test(text?.split("\n", 1)[0] ?? "");

/** Reads the protocol log of an account, repeatedly during the recording. */
export const useProtocolLog = (id: string, isShown: boolean) =>
  useQuery({
    queryKey: keyOf(id),
    enabled: isShown,
    queryFn: async ({ signal }) =>
      new TextDecoder().decode(await adminApi("GET /api/accounts/:id/trace", { params: { id }, signal })),
    refetchInterval: ({ state }) => (isRecorded(state.data) ? POLL_MILLIS : false),
    staleTime: 0,
  });

/** Fetches the log again after a recording was started. */
export const refetchProtocolLog = (id: string): Promise<unknown> => queries.invalidateQueries({ queryKey: keyOf(id) });

/** Drops the log after it was deleted. */
export const forgetProtocolLog = (id: string): void => queries.removeQueries({ queryKey: keyOf(id) });

/** Saves a text as a file. */
export const saveText = (name: string, text: string): void => {
  const url = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
};
