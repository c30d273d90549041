import { markText, t, type Text } from "../../texts/text.ts";
import type { Approval } from "./agents.ts";

const STATES: { readonly [State in Approval["state"]]: readonly [look: string, word: Text] } = {
  pending: ["warn", markText("waiting")],
  approved: ["good", markText("approved")],
  denied: ["bad", markText("denied")],
  expired: ["", markText("expired")],
  stale: ["", markText("draft changed")],
  withdrawn: ["", markText("withdrawn")],
};

/** The state of an approval, as a tag. */
export const ApprovalState = ({ state }: { readonly state: Approval["state"] }) => {
  const [look, word] = STATES[state];
  return <span className={`tag ${look}`}>{t(word)}</span>;
};
