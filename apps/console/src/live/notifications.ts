import { useSyncExternalStore } from "react";
import { PREFIX } from "../api/prefix.ts";
import { t } from "../texts/text.ts";

const STORED = "postern-notify ";
const listeners = new Set<() => void>();

/** Returns the paths of the folders of an account whose new mail is announced, as stored in this browser. */
export const notifiedFolders = (account: string): ReadonlyArray<string> => {
  try {
    return JSON.parse(localStorage.getItem(STORED + account) ?? "[]") as ReadonlyArray<string>;
  } catch {
    return [];
  }
};

export const notifyOf = (account: string, path: string, isOn: boolean): void => {
  const others = notifiedFolders(account).filter((one) => one !== path);
  localStorage.setItem(STORED + account, JSON.stringify(isOn ? [...others, path] : others));
  for (const listener of listeners) listener();
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Returns whether new mail of a folder is announced. */
export const useIsNotified = (account: string, path: string): boolean =>
  useSyncExternalStore(subscribe, () => notifiedFolders(account).includes(path));

interface Received {
  readonly data: {
    readonly id: string;
    readonly folder: string;
    readonly from: string;
    readonly fromName: string;
    readonly subject: string;
    readonly returned?: true;
  };
}

/** Announces a message that arrived in a chosen folder, once, and only while the user does not look at the console. */
export const announce = (account: string, event: MessageEvent<string>): void => {
  if (!("Notification" in window) || Notification.permission !== "granted") return;
  if (document.visibilityState === "visible" && document.hasFocus()) return;
  const { data } = JSON.parse(event.data) as Received;
  if (data.returned === true || !notifiedFolders(account).includes(data.folder)) return;
  const note = new Notification(data.fromName || data.from || t("New message"), {
    body: data.subject || t("No subject"),
    icon: `${PREFIX}/favicon.svg`,
    // Other tabs announce the same message, and a browser shows one notification for each tag.
    tag: data.id,
  });
  note.addEventListener("click", () => {
    window.focus();
    note.close();
  });
};
