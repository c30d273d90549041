import { api } from "../../api/client.ts";
import type { DraftRecord } from "./draft.ts";
import { draftOf, wordsOf } from "./draft-record.ts";

const MAX_READ = 5;

/**
 * Returns the draft that an earlier request with the same contents created although its answer was lost; null without
 * such a draft.
 */
export const createdBefore = async (words: string): Promise<DraftRecord | null> => {
  const { data } = await api("GET /api/drafts");
  const recent = data.filter(({ state }) => state === "draft").slice(0, MAX_READ);
  for (const { id } of recent) {
    const record = (await api("GET /api/drafts/:id", { params: { id } })).data;
    if (wordsOf(draftOf(record)) === words) return record;
  }
  return null;
};
