/* The senders of the examples: Robin (demo@postern.test), who also sends as sales@postern.test. */

export const IDENTITY_ID = "idn_1mYvZgD3H0cJ6Qw9rTtKXA";

export const OWN_IDENTITY = {
  id: "acc_hyexz0RipaUWL3hNPE5dCUrAcXHsPkbSkmCOwUo7GULsVVaoENwT54ZJTRAIC0P1",
  version: "n4bQgYhMfWWaL-qg",
  name: "Robin Demo",
  address: "demo@postern.test",
  replyTo: null,
  signatureText: "Robin",
  signatureHtml: "<p>Robin</p>",
  isDefault: true,
  verified: true,
};

export const IDENTITY = {
  id: IDENTITY_ID,
  version: "n4bQgYhMfWWaL-qg",
  name: "Robin from Sales",
  address: "sales@postern.test",
  replyTo: null,
  signatureText: "",
  signatureHtml: "",
  isDefault: false,
  verified: false,
};
