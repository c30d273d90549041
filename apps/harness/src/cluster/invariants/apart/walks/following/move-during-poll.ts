import type { Mailbox } from "@postern/memory";

/** Lets another program act when a poll reads a mailbox: after the state of all folders was read, before this folder is. */
export const moveDuringPoll = (mailbox: Mailbox, act: () => void): void => {
  let reads = 0;
  Object.defineProperty(mailbox, "cursor", {
    configurable: true,
    get: () => {
      if (++reads === 2) {
        Reflect.deleteProperty(mailbox, "cursor");
        act();
      }
      return Reflect.get(Object.getPrototypeOf(mailbox), "cursor", mailbox);
    },
  });
};
