import { useEffect, useState, useSyncExternalStore } from "react";
import { queries } from "../../api/client.ts";
import { toast } from "../../ui/toast.ts";
import { DraftSaver } from "./DraftSaver.ts";
import type { Opening } from "./saver-state.ts";
import { t } from "../../texts/text.ts";

/** Returns the saver of a draft and its state. Unsaved changes are saved when the user leaves; if that fails, the browser keeps them. */
export const useDraft = (account: string, opening: Opening) => {
  const [saver] = useState(() => new DraftSaver(account, opening));
  const state = useSyncExternalStore(saver.subscribe, saver.state);

  useEffect(() => {
    saver.start();
    let isLeaving = false;
    const save = (): void => void saver.flush();
    const saveIfHidden = (): void => {
      // A reload would interrupt a request to create the draft, which would then be repeated.
      if (document.visibilityState === "hidden" && !(isLeaving && saver.state().stored === null)) save();
    };
    const hide = (): void => {
      isLeaving = true;
    };
    const show = (): void => {
      isLeaving = false;
    };
    window.addEventListener("online", save);
    window.addEventListener("pagehide", hide);
    window.addEventListener("pageshow", show);
    document.addEventListener("visibilitychange", saveIfHidden);
    return () => {
      window.removeEventListener("online", save);
      window.removeEventListener("pagehide", hide);
      window.removeEventListener("pageshow", show);
      document.removeEventListener("visibilitychange", saveIfHidden);
      if (saver.isDirty) void leave(saver);
    };
  }, [saver]);

  return { saver, ...state };
};

const leave = async (saver: DraftSaver): Promise<void> => {
  const isSaved = await saver.flush();
  void queries.invalidateQueries({ queryKey: ["drafts"] });
  void queries.invalidateQueries({ queryKey: ["folders"] });
  if (!isSaved) toast(t("The draft could not be saved on the mail server. It is kept in this browser, under Drafts."));
};
