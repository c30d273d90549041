import { ApiProblem } from "@postern/client/browser";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { queries } from "../../api/client.ts";
import { type EmailSource, pageQuery, type SearchSource } from "../emails/emails.ts";
import { detailOf } from "../../ui/error-text.ts";

/** A search in progress. */
export interface Search {
  /**
   * The state of the search: `headers` or `bodies` are being searched, or the search was stopped or failed after the
   * headers, or is done.
   */
  readonly state: "headers" | "bodies" | "stopped" | "failed" | "done";
  /** The source of the messages found so far. */
  readonly found: EmailSource & SearchSource;
  /** The fault of the search, or null. */
  readonly fault: string | null;
  /** The number of folders that the mail server did not search in time. */
  readonly unsearched: number;
  readonly stop: () => void;
  readonly resume: () => void;
}

/** Searches the headers of the open folder first, then everything in all folders. */
export const useSearch = (source: EmailSource & SearchSource): Search => {
  const [isStopped, setStopped] = useState(false);
  const everything = useMemo(() => ({ ...source, within: null, isDeep: true }), [source]);
  const headers = useQuery(pageQuery(source, 1));
  const whole = pageQuery(everything, 1);
  const fault =
    headers.error instanceof ApiProblem && headers.error.status === 400 ? detailOf(headers.error).trim() : null;
  const bodies = useQuery({ ...whole, enabled: !headers.isPending && fault === null && !isStopped });
  const state = bodies.isSuccess
    ? "done"
    : isStopped
      ? "stopped"
      : bodies.isError
        ? "failed"
        : headers.isPending
          ? "headers"
          : "bodies";
  return {
    state,
    found: bodies.isSuccess ? everything : source,
    fault,
    unsearched: bodies.data?.unsearched ?? 0,
    stop: () => {
      setStopped(true);
      void queries.cancelQueries({ queryKey: ["emails", source] });
      void queries.cancelQueries({ queryKey: whole.queryKey });
    },
    resume: () => {
      setStopped(false);
      if (!isStopped) void bodies.refetch();
    },
  };
};
