import { Check, X } from "../../ui/icons/icons.tsx";
import { Moment } from "../../ui/Moment.tsx";
import { duration } from "../../ui/time.ts";
import type { Step } from "./ladder.ts";

const WORDS = {
  succeeded: "delivered",
  failed: "failed",
  due: "due",
  under_way: "under way",
  open: "not tried",
} as const;

/** The attempts drawn on the ladder: each step is labelled with the delay after the previous one. */
export const Ladder = ({ steps }: { readonly steps: ReadonlyArray<Step> }) => (
  <ol className="ladder" aria-label="Attempts">
    {steps.map((step) => (
      <li key={step.n} className={`step ${step.is}`}>
        <span className="step-wait small">{step.wait === 0 ? "at once" : `after ${duration(step.wait)}`}</span>
        <span className="step-mark" aria-hidden>
          {step.is === "succeeded" && <Check size={14} strokeWidth={3} />}
          {step.is === "failed" && <X size={14} strokeWidth={3} />}
        </span>
        <span className="step-word small">
          {step.attempt === null ? WORDS[step.is] : (step.attempt.status ?? step.attempt.errorCode ?? WORDS[step.is])}
        </span>
        <span className="step-when soft small">
          {step.attempt !== null && duration(step.attempt.ms)}
          {step.dueAt !== null && <Moment at={step.dueAt} />}
        </span>
      </li>
    ))}
  </ol>
);
