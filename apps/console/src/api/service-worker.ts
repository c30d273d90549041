import { PREFIX } from "./prefix.ts";

/** The delay until the worker loads the rest of the console, because the page itself needs the network first. */
const DELAY_MILLIS = 2_000;

/**
 * Registers the service worker, with the path of the service as its scope. Browsers allow service workers only over
 * https or on their own machine.
 */
export const registerWorker = (): void => {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  setTimeout(() => void navigator.serviceWorker.register(`${PREFIX}/worker.js`).catch(() => {}), DELAY_MILLIS);
};
