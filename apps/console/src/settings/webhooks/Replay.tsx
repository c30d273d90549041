import { ApiProblem } from "@postern/client/browser";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { CheckboxGroup, FieldError, Label } from "react-aria-components";
import { t } from "../../texts/text.ts";
import { adviceOf, faultOf } from "../../ui/error-text.ts";
import { api } from "../../api/client.ts";
import { Button } from "../../ui/Button.tsx";
import { Check } from "../../ui/forms/Check.tsx";
import { Field } from "../../ui/forms/Field.tsx";
import { FormWithFaults } from "../../ui/forms/FormWithFaults.tsx";
import { Popup } from "../../ui/popups/Popup.tsx";
import { ErrorAlert } from "../../ui/ErrorAlert.tsx";
import { toast } from "../../ui/toast.ts";
import type { EndpointPopupProps } from "./TestEvent.tsx";
import { refetchEndpoint } from "./webhooks.ts";

const DAY_MILLIS = 86_400_000;

/** Returns the value of a `datetime-local` input: local time to the minute. */
const localMinute = (at: number): string => {
  const date = new Date(at);
  return new Date(at - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
};

/** Replays held or exhausted deliveries since a point in time. */
export const Replay = ({ endpoint, onClose }: EndpointPopupProps) => {
  const [since, setSince] = useState(() => localMinute(Date.now() - DAY_MILLIS));
  const [states, setStates] = useState<ReadonlyArray<string>>(["held", "exhausted"]);
  const isTime = !Number.isNaN(Date.parse(since));
  const replay = useMutation({
    mutationFn: () =>
      api("POST /api/settings/webhooks/:id/replay", {
        params: { id: endpoint.id },
        payload: {
          since: new Date(since).toISOString(),
          states: states.filter((state) => state === "held" || state === "exhausted"),
        },
      }),
    onSuccess: ({ data }) => {
      toast(
        data.queued === 0 && data.complete
          ? t("No events to replay.")
          : t(
              data.complete
                ? "{count, plural, one {# event} other {# events}} queued again."
                : "{count, plural, one {# event} other {# events}} queued again, more follow.",
              { count: data.queued },
            ),
      );
      onClose();
    },
    onSettled: () => refetchEndpoint(endpoint.id),
  });
  const [wasTried, setTried] = useState(false);
  const problem = replay.error instanceof ApiProblem ? replay.error : null;
  const tooOld = problem?.status === 422 ? adviceOf(problem) : undefined;
  const sinceFault = isTime ? (faultOf(replay.error, "since") ?? tooOld) : t("Enter a date and a time.");
  const statesFault = wasTried && states.length === 0 ? t("Choose at least one state.") : undefined;
  const isElsewhere = replay.isError && sinceFault === undefined;
  const submit = (): boolean => {
    setTried(true);
    const isWhole = isTime && states.length > 0;
    if (isWhole) replay.mutate();
    return isWhole;
  };
  return (
    <Popup title={t("Replay events")} isOpen onClose={onClose} isForm>
      <FormWithFaults className="form" onSubmit={submit} error={replay.error}>
        <p className="soft">{t("Only held and exhausted deliveries are sent again.")}</p>
        <Field
          label={t("Since")}
          type="datetime-local"
          value={since}
          onChange={setSince}
          hint={t("Up to 14 days ago.")}
          fault={sinceFault}
        />
        <CheckboxGroup
          className="form"
          value={[...states]}
          onChange={setStates}
          isInvalid={statesFault !== undefined}
          validationBehavior="aria"
        >
          <Label className="label">{t("Deliveries to replay")}</Label>
          <FieldError className="fault">{statesFault}</FieldError>
          <Check value="held">{t("Held while the endpoint was disabled")}</Check>
          <Check value="exhausted">{t("Exhausted: the last retry failed")}</Check>
        </CheckboxGroup>
        {isElsewhere && <ErrorAlert error={replay.error} />}
        <div className="buttons end">
          <Button onPress={onClose}>{t("Cancel")}</Button>
          <Button type="submit" look="primary" isPending={replay.isPending}>
            {t("Replay")}
          </Button>
        </div>
      </FormWithFaults>
    </Popup>
  );
};
