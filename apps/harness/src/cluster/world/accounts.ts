import { AccountId } from "@postern/core/shared";

export const PASSWORD = "correct horse battery staple";

/** The accounts of the simulated mail server. */
export const ACCOUNTS: ReadonlyArray<AccountId> = ["robin@sim.test", "kim@sim.test"].map((address) =>
  AccountId(address),
);

export const CLIENT = { network: "192.0.2.7", userAgent: "simulation" };
