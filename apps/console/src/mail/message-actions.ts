import { api, queries } from "../api/client.ts";
import { errorText } from "../ui/error-text.ts";
import { toast } from "../ui/toast.ts";
import { changeListed, type Email, takeOut } from "./emails.ts";
import type { Message } from "./message.ts";

export type Flags = Partial<Pick<Email, "unread" | "flagged" | "answered">>;

const readAgain = async (): Promise<void> => {
  await Promise.all([
    queries.invalidateQueries({ queryKey: ["folders"] }),
    queries.invalidateQueries({ queryKey: ["emails"] }),
  ]);
};

/** Runs an action whose result is shown already; on failure, undoes that, shows a toast and refetches the lists. */
const attempt = async (what: string, act: () => Promise<void>, undo?: () => void): Promise<void> => {
  try {
    await act();
    await queries.invalidateQueries({ queryKey: ["folders"] });
  } catch (error) {
    undo?.();
    toast(`${what} failed: ${errorText(error)}`);
    await Promise.all([readAgain(), queries.invalidateQueries({ queryKey: ["message"] })]);
  }
};

/** Sets flags of a message, in every list and in the open message. */
export const mark = (id: string, flags: Flags): Promise<void> => {
  changeListed((email) => (email.id === id ? { ...email, ...flags } : email));
  queries.setQueryData<Message>(["message", id], (message) => message && { ...message, ...flags });
  return attempt(
    "Marking",
    async () => void (await api("PATCH /api/messages/:id", { params: { id }, payload: flags })),
  );
};

/** Returns the undo of a move; none if the message's new id or its previous folder is unknown. */
const undoOf = (id: string | null, from: string | undefined): (() => void) | undefined =>
  id === null || from === undefined ? undefined : () => void moveBack(id, from);

const moveBack = (id: string, folderId: string): Promise<void> =>
  attempt("Moving it back", async () => {
    await api("PATCH /api/messages/:id", { params: { id }, payload: { folderId } });
    await readAgain();
  });

/** Moves a message, with Undo in the toast. `from`: its folder, if known. */
export const move = (
  id: string,
  from: string | undefined,
  to: { readonly id: string; readonly name: string },
): Promise<void> => {
  const putBack = takeOut(id);
  const act = async () => {
    const { data } = await api("PATCH /api/messages/:id", { params: { id }, payload: { folderId: to.id } });
    toast(`Moved to ${to.name}.`, undoOf(data.id, from));
    void queries.invalidateQueries({ queryKey: ["emails", { folder: to.id }] });
  };
  return attempt("Moving", act, putBack);
};

/** Moves a message to Trash, or deletes it permanently. */
export const remove = (id: string, from: string | undefined, permanent: boolean): Promise<void> => {
  const putBack = takeOut(id);
  const act = async () => {
    const { data } = await api("DELETE /api/messages/:id", {
      params: { id },
      ...(permanent ? { query: { permanent: "true" } } : {}),
    });
    if (data.movedTo === null) toast("Deleted permanently.");
    else {
      toast("Moved to Trash.", undoOf(data.newId, from));
      void queries.invalidateQueries({ queryKey: ["emails", { folder: data.movedTo }] });
    }
  };
  return attempt("Deleting", act, putBack);
};
