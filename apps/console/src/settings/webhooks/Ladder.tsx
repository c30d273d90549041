import { markText, t } from "../../texts/text.ts";
import { Check, X } from "../../ui/icons/icons.tsx";
import { Moment } from "../../ui/Moment.tsx";
import { duration } from "../../ui/time.ts";
import type { Step } from "./ladder.ts";

const WORDS = {
  succeeded: markText("delivered"),
  failed: markText("failed [attempt]"),
  due: markText("due"),
  under_way: markText("under way"),
  open: markText("not tried"),
} as const;

/** The attempts drawn on the ladder: each step is labelled with the delay after the previous one. */
export const Ladder = ({ steps }: { readonly steps: ReadonlyArray<Step> }) => (
  <ol className="ladder" aria-label={t("Attempts")}>
    {steps.map((step) => (
      <li key={step.n} className={`step ${step.is}`}>
        <span className="step-wait small">
          {step.wait === 0 ? t("at once") : t("after {duration}", { duration: duration(step.wait) })}
        </span>
        <span className="step-mark" aria-hidden>
          {step.is === "succeeded" && <Check size={14} strokeWidth={3} />}
          {step.is === "failed" && <X size={14} strokeWidth={3} />}
        </span>
        <span className="step-word small">{step.attempt?.status ?? step.attempt?.errorCode ?? t(WORDS[step.is])}</span>
        <span className="step-when soft small">
          {step.attempt !== null && duration(step.attempt.ms)}
          {step.dueAt !== null && <Moment at={step.dueAt} />}
        </span>
      </li>
    ))}
  </ol>
);
