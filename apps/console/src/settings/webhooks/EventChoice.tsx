import { CheckboxGroup, FieldError, Label } from "react-aria-components";
import { t } from "../../texts/text.ts";
import { Bones } from "../../ui/Bones.tsx";
import { Button } from "../../ui/Button.tsx";
import { Check } from "../../ui/forms/Check.tsx";
import { Failed } from "../../ui/Failed.tsx";
import { EVENT_MEANINGS } from "../../texts/event-meanings.ts";
import { useEventTypes } from "./webhooks.ts";

export interface EventChoiceProps {
  readonly chosen: ReadonlyArray<string>;
  readonly onChange: (chosen: ReadonlyArray<string>) => void;
  readonly fault: string | undefined;
}

/** A choice of event types, each with its meaning and a sample. */
export const EventChoice = ({ chosen, onChange, fault }: EventChoiceProps) => {
  const types = useEventTypes();
  if (types.isPending) return <Bones rows={4} label={t("Loading the kinds of events")} />;
  if (types.isError) return <Failed error={types.error} onRetry={types.refetch} />;
  const hasAll = types.data.length === chosen.length;
  return (
    <CheckboxGroup
      className="events"
      value={[...chosen]}
      onChange={onChange}
      isInvalid={fault !== undefined}
      validationBehavior="aria"
    >
      <div className="events-head">
        <Label className="label">{t("Events to receive")}</Label>
        <Button look="quiet" onPress={() => onChange(hasAll ? [] : types.data.map(({ event }) => event))}>
          {t(hasAll ? "Choose none" : "Choose all")}
        </Button>
      </div>
      <FieldError className="fault">{fault}</FieldError>
      {types.data.map(({ event, meaning, sample }) => (
        <div key={event} className="event">
          <Check value={event}>
            <span>
              <span className="mono">{event}</span>
              <span className="event-meaning small soft">
                {EVENT_MEANINGS[event] === undefined ? meaning : t(EVENT_MEANINGS[event])}
              </span>
            </span>
          </Check>
          <details className="small">
            <summary aria-label={t("Sample of {event}", { event })}>{t("Sample")}</summary>
            <pre className="code" tabIndex={0} aria-label={t("Sample of {event}", { event })}>
              {JSON.stringify(sample, null, 2)}
            </pre>
          </details>
        </div>
      ))}
    </CheckboxGroup>
  );
};
