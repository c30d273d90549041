import { api, queries } from "../api/client.ts";
import { errorText } from "../ui/error-text.ts";
import { toast } from "../ui/toast.ts";
import { changeListed, type Email } from "./emails.ts";
import type { Message } from "./message.ts";

export type Flags = Partial<Pick<Email, "unread" | "flagged" | "answered">>;

const readAgain = async (): Promise<void> => {
  await Promise.all([
    queries.invalidateQueries({ queryKey: ["folders"] }),
    queries.invalidateQueries({ queryKey: ["emails"] }),
  ]);
};

/** Shown at once; where the service refuses, said so and shown as it is. */
const attempt = async (what: string, act: () => Promise<void>): Promise<void> => {
  try {
    await act();
    await queries.invalidateQueries({ queryKey: ["folders"] });
  } catch (error) {
    toast(`${what} failed: ${errorText(error)}`);
    await Promise.all([readAgain(), queries.invalidateQueries({ queryKey: ["message"] })]);
  }
};

/** Marks a message, in every list and where it is open. */
export const mark = (id: string, flags: Flags): Promise<void> => {
  changeListed((email) => (email.id === id ? { ...email, ...flags } : email));
  queries.setQueryData<Message>(["message", id], (message) => message && { ...message, ...flags });
  return attempt(
    "Marking",
    async () => void (await api("PATCH /api/messages/:id", { params: { id }, payload: flags })),
  );
};

const takeOut = (id: string): void => changeListed((email) => (email.id === id ? null : email));

/** The way back of a move: none where the mail server does not say which message it is now, or where it came from. */
const wayBack = (id: string | null, from: string | undefined): (() => void) | undefined =>
  id === null || from === undefined ? undefined : () => void putBack(id, from);

const putBack = (id: string, folderId: string): Promise<void> =>
  attempt("Moving it back", async () => {
    await api("PATCH /api/messages/:id", { params: { id }, payload: { folderId } });
    await readAgain();
  });

/** Moves a message; the line that says so takes it back. `from`: the folder it is in, where that is known. */
export const move = (
  id: string,
  from: string | undefined,
  to: { readonly id: string; readonly name: string },
): Promise<void> => {
  takeOut(id);
  return attempt("Moving", async () => {
    const { data } = await api("PATCH /api/messages/:id", { params: { id }, payload: { folderId: to.id } });
    toast(`Moved to ${to.name}.`, wayBack(data.id, from));
    void queries.invalidateQueries({ queryKey: ["emails", { folder: to.id }] });
  });
};

/** Deletes a message: into Trash, or for good. */
export const remove = (id: string, from: string | undefined, permanent: boolean): Promise<void> => {
  takeOut(id);
  return attempt("Deleting", async () => {
    const { data } = await api("DELETE /api/messages/:id", {
      params: { id },
      ...(permanent ? { query: { permanent: "true" } } : {}),
    });
    if (data.movedTo === null) toast("Deleted for good.");
    else {
      toast("Moved to Trash.", wayBack(data.newId, from));
      void queries.invalidateQueries({ queryKey: ["emails", { folder: data.movedTo }] });
    }
  });
};
