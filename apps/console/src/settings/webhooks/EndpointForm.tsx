import { type ReactNode, useState } from "react";
import { t } from "../../texts/text.ts";
import { faultOf } from "../../ui/error-text.ts";
import { Check } from "../../ui/forms/Check.tsx";
import { Choice } from "../../ui/forms/Choice.tsx";
import { Field } from "../../ui/forms/Field.tsx";
import { FormWithFaults } from "../../ui/forms/FormWithFaults.tsx";
import { ErrorAlert } from "../../ui/ErrorAlert.tsx";
import { EventChoice } from "./EventChoice.tsx";
import { urlRemark } from "./endpoint-url.ts";
import type { Endpoint } from "./webhooks.ts";

/** The settings of an endpoint that the user chooses. */
export type EndpointChoices = Pick<
  Endpoint,
  "url" | "description" | "events" | "disablePolicy" | "honourRetryAfter" | "ordered"
>;

export const NEW_ENDPOINT: EndpointChoices = {
  url: "",
  description: "",
  events: [],
  disablePolicy: "literal",
  honourRetryAfter: false,
  ordered: false,
};

export interface EndpointFormProps {
  readonly initial: EndpointChoices;
  readonly error: unknown;
  readonly onSave: (choices: EndpointChoices) => void;
  readonly children: ReactNode;
}

/** The form of an endpoint's settings. The URL is checked while the user types it. */
export const EndpointForm = ({ initial, error, onSave, children }: EndpointFormProps) => {
  const [choices, setChoices] = useState(initial);
  const [wasTried, setTried] = useState(false);
  const [refusedUrl, setRefusedUrl] = useState<string | null>(null);
  const change = (part: Partial<EndpointChoices>) => setChoices({ ...choices, ...part });

  const remark = urlRemark(choices.url);
  const urlFault =
    remark?.is === "fault"
      ? remark.text
      : wasTried && choices.url === ""
        ? t("Enter the URL that events are posted to.")
        : refusedUrl === choices.url
          ? faultOf(error, "url")
          : undefined;
  const eventsFault =
    wasTried && choices.events.length === 0 ? t("Choose at least one event.") : faultOf(error, "events");
  const isElsewhere = error != null && faultOf(error, "url") === undefined && faultOf(error, "events") === undefined;

  const submit = (): boolean => {
    setTried(true);
    setRefusedUrl(choices.url);
    const isWhole = remark?.is !== "fault" && choices.url !== "" && choices.events.length > 0;
    if (isWhole) onSave(choices);
    return isWhole;
  };
  return (
    <FormWithFaults className="form" onSubmit={submit} error={error}>
      <Field
        label={t("Endpoint URL")}
        type="url"
        value={choices.url}
        onChange={(url) => change({ url })}
        isRequired
        autoFocus
        inputProps={{ placeholder: "https://example.com/webhooks", spellCheck: false, autoComplete: "off" }}
        fault={urlFault}
        hint={remark?.text ?? t("Events are posted to this URL.")}
      />
      <Field
        label={t("Description")}
        value={choices.description}
        onChange={(description) => change({ description })}
        hint={t("Optional, for your own use.")}
        fault={faultOf(error, "description")}
      />
      <EventChoice chosen={choices.events} onChange={(events) => change({ events })} fault={eventsFault} />
      <details>
        <summary>{t("Delivery")}</summary>
        <div className="form delivery-choices">
          <Choice
            label={t("When the last retry of an event fails")}
            value={choices.disablePolicy}
            onChange={(policy) => change({ disablePolicy: policy === "no_success" ? "no_success" : "literal" })}
            options={[
              { id: "literal", name: t("Disable the endpoint") },
              { id: "no_success", name: t("Disable it only if no other delivery succeeded meanwhile") },
            ]}
          />
          <Check isSelected={choices.ordered} onChange={(ordered) => change({ ordered })}>
            {t("Deliver events one at a time, in order")}
          </Check>
          <Check isSelected={choices.honourRetryAfter} onChange={(honourRetryAfter) => change({ honourRetryAfter })}>
            {t("Honour Retry-After: it can lengthen a retry delay up to twofold")}
          </Check>
        </div>
      </details>
      {isElsewhere && <ErrorAlert error={error} />}
      {children}
    </FormWithFaults>
  );
};
