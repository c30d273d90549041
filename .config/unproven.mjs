/** The promises of docs/spec that no test proves, with the reasons. */
export const UNPROVEN = {
  "S1.2-1": "no test starts the sandbox twice and compares UIDVALIDITY",
  "S5.1-10": "no test counts what is read of a page that changed",
  "S9.2-2": "no test follows which call runs inside of which transaction",
  "S12.1-17": "no test stores 1 GiB of files",
};
