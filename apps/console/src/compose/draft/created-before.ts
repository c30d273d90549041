import { api } from "../../api/client.ts";
import type { DraftRecord } from "./draft.ts";
import { draftOf, wordsOf } from "./draft-record.ts";

const MOST_READ = 5;

/** Returns the stored draft that says what a request said whose answer was lost, if the service has it. */
export const createdBefore = async (words: string): Promise<DraftRecord | null> => {
  const { data } = await api("GET /api/drafts");
  const recent = data.filter(({ state }) => state === "draft").slice(0, MOST_READ);
  for (const { id } of recent) {
    const record = (await api("GET /api/drafts/:id", { params: { id } })).data;
    if (wordsOf(draftOf(record)) === words) return record;
  }
  return null;
};
