import { useSyncExternalStore } from "react";

/** The storage key of addresses whose remote pictures are always shown, per account. */
const STORED = "postern-picture-senders";

const listeners = new Set<() => void>();
let known: { readonly text: string | null; readonly senders: ReadonlyArray<string> } = { text: null, senders: [] };

const keyOf = (account: string): string => `${STORED} ${account}`;

const read = (account: string): ReadonlyArray<string> => {
  const text = localStorage.getItem(keyOf(account));
  if (text !== known.text) known = { text, senders: text === null ? [] : (JSON.parse(text) as ReadonlyArray<string>) };
  return known.senders;
};

const write = (account: string, senders: ReadonlyArray<string>): void => {
  if (senders.length === 0) localStorage.removeItem(keyOf(account));
  else localStorage.setItem(keyOf(account), JSON.stringify(senders));
  for (const listener of listeners) listener();
};

export const trustSender = (account: string, address: string): void =>
  write(account, [...new Set([...read(account), address.toLowerCase()])].toSorted());

export const distrustSender = (account: string, address: string): void =>
  write(
    account,
    read(account).filter((one) => one !== address),
  );

export const forgetSenders = (account: string): void => write(account, []);

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The senders of an account whose remote pictures are always shown, by address. */
export const useTrustedSenders = (account: string): ReadonlyArray<string> =>
  useSyncExternalStore(subscribe, () => read(account));
