import type { Approval } from "./agents.ts";

const STATES: { readonly [State in Approval["state"]]: readonly [look: string, word: string] } = {
  pending: ["warn", "waiting"],
  approved: ["good", "approved"],
  denied: ["bad", "denied"],
  expired: ["", "expired"],
  stale: ["", "draft changed"],
  withdrawn: ["", "withdrawn"],
};

/** The state of an approval, as a tag. */
export const ApprovalState = ({ state }: { readonly state: Approval["state"] }) => {
  const [look, word] = STATES[state];
  return <span className={`tag ${look}`}>{word}</span>;
};
