import { queryOptions } from "@tanstack/react-query";
import { api, queries } from "../../api/client.ts";
import { flagListed } from "../emails/listed-changes.ts";
import type { Message } from "../emails/message.ts";
import { refetchMail, refetchMailWhenQuiet } from "../emails/refetch-mail.ts";
import { act, type Target, showOutcome } from "./message-actions.ts";

/** The labels of the mailbox, by name (spec 5.5). */
export const labelsQuery = queryOptions({
  queryKey: ["labels"] as const,
  queryFn: async ({ signal }) => (await api("GET /api/labels", { signal })).data.map(({ name }) => name),
});

/** Returns whether two labels are the same; labels are case-insensitive. */
const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

export const hasLabel = ({ labels = [] }: Target, label: string): boolean => labels.some((one) => isSame(one, label));

/** Returns the labels of a message after one was added or removed. */
export const labelsAfter = (target: Target, label: string, isAdded: boolean): ReadonlyArray<string> => {
  const others = (target.labels ?? []).filter((one) => !isSame(one, label));
  if (!isAdded) return others;
  return hasLabel(target, label) ? (target.labels ?? []) : [...others, label];
};

/** Adds a label to messages or removes it, in every list and in the open message. */
export const setLabel = async (targets: ReadonlyArray<Target>, label: string, isAdded: boolean): Promise<void> => {
  const settles = targets.map((target) => {
    const labels = labelsAfter(target, label, isAdded);
    queries.setQueryData<Message>(["message", target.id], (message) => message && { ...message, labels });
    return flagListed(new Set([target.id]), { labels });
  });
  const change = isAdded ? { addLabels: [label] } : { removeLabels: [label] };
  const outcome = await act(targets, { change }, "label");
  showOutcome("label", targets, outcome);
  refetchMailWhenQuiet(() => {
    for (const settle of settles) settle();
  });
  void queries.invalidateQueries({ queryKey: labelsQuery.queryKey });
  if (outcome.failed.length === 0) return;
  void queries.invalidateQueries({ queryKey: ["message"] });
  await refetchMail();
};
