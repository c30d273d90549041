import { api } from "../../api/client.ts";
import type { DraftRecord } from "./draft.ts";
import { draftOf, wordsOf } from "./draft-record.ts";

const MAX_READ = 5;

/** Returns the draft that an earlier request with the same words created, if there is one: the answer of that request was lost. */
export const createdBefore = async (words: string): Promise<DraftRecord | null> => {
  const { data } = await api("GET /api/drafts");
  const recent = data.filter(({ state }) => state === "draft").slice(0, MAX_READ);
  for (const { id } of recent) {
    const record = (await api("GET /api/drafts/:id", { params: { id } })).data;
    if (wordsOf(draftOf(record)) === words) return record;
  }
  return null;
};
