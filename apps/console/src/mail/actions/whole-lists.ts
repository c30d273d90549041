import { useState } from "react";
import { queries } from "../../api/client.ts";
import { errorText } from "../../ui/error-text.ts";
import { toast } from "../../ui/toast.ts";
import { type Email, type EmailSource, readAll } from "../emails/emails.ts";
import type { Folder } from "../../shell/folders.ts";
import { failureText, markRead } from "./message-actions.ts";
import { t } from "../../texts/text.ts";

/**
 * Reads all messages of a source, for an action on them; `read` is the number of messages read so far, null before a
 * reading.
 */
export const useReadAll = (source: EmailSource) => {
  const [read, setRead] = useState<number | null>(null);
  const start = async (): Promise<ReadonlyArray<Email>> => {
    setRead(0);
    try {
      return await readAll(source, setRead);
    } catch (error) {
      toast(t("The messages could not be read: {error}", { error: errorText(error) }));
      return [];
    } finally {
      setRead(null);
    }
  };
  return { read, start };
};

/** Marks the messages of a folder that are unread now as read. Messages that arrive in the meantime stay unread. */
export const markAllRead = async ({ id }: Folder): Promise<void> => {
  try {
    await markRead(await readAll({ folder: id, filter: "unread" }));
  } catch (error) {
    toast(failureText("mark", error));
    await queries.invalidateQueries({ queryKey: ["emails"] });
  }
};
