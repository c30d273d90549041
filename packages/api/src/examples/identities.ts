/* The senders of the examples: Robin (demo@postern.test), also as sales@postern.test. */

export const IDENTITY_ID = "idn_1mYvZgD3H0cJ6Qw9rTtKXA";

export const OWN_IDENTITY = {
  id: "acc_8Kq0mT5dXyR2vN7wZc3LhA",
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
  name: "Robin from Sales",
  address: "sales@postern.test",
  replyTo: null,
  signatureText: "",
  signatureHtml: "",
  isDefault: false,
  verified: false,
};
