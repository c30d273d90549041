import { ApiProblem } from "@postern/client/browser";
import { type ReactNode, useState } from "react";
import { Check } from "../../ui/Check.tsx";
import { Choice } from "../../ui/Choice.tsx";
import { Field } from "../../ui/Field.tsx";
import { FormWithFaults } from "../../ui/FormWithFaults.tsx";
import { errorText } from "../../ui/error-text.ts";
import { EventChoice } from "./EventChoice.tsx";
import { urlRemark } from "./endpoint-url.ts";
import type { Endpoint } from "./webhooks.ts";

/** What is chosen about an endpoint. */
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

/** An endpoint's URL, checked as it is typed, its events and its choices. */
export const EndpointForm = ({ initial, error, onSave, children }: EndpointFormProps) => {
  const [choices, setChoices] = useState(initial);
  const [wasTried, setTried] = useState(false);
  const [refusedUrl, setRefusedUrl] = useState<string | null>(null);
  const change = (part: Partial<EndpointChoices>) => setChoices({ ...choices, ...part });

  const problem = error instanceof ApiProblem ? error : null;
  const remark = urlRemark(choices.url);
  const urlFault =
    remark?.is === "fault"
      ? remark.text
      : wasTried && choices.url === ""
        ? "Give the URL events are posted to."
        : refusedUrl === choices.url
          ? problem?.fault("url")
          : undefined;
  const eventsFault = wasTried && choices.events.length === 0 ? "Choose at least one." : problem?.fault("events");
  const isElsewhere = error != null && problem?.fault("url") === undefined && problem?.fault("events") === undefined;

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
        label="Endpoint URL"
        type="url"
        value={choices.url}
        onChange={(url) => change({ url })}
        isRequired
        autoFocus
        inputProps={{ placeholder: "https://example.com/webhooks", spellCheck: false, autoComplete: "off" }}
        fault={urlFault}
        hint={remark?.text ?? "Where events are posted to."}
      />
      <Field
        label="Description"
        value={choices.description}
        onChange={(description) => change({ description })}
        hint="For you; it may stay empty."
        fault={problem?.fault("description")}
      />
      <EventChoice chosen={choices.events} onChange={(events) => change({ events })} fault={eventsFault} />
      <details>
        <summary>Delivery</summary>
        <div className="form delivery-choices">
          <Choice
            label="When the last retry of an event fails"
            value={choices.disablePolicy}
            onChange={(policy) => change({ disablePolicy: policy === "no_success" ? "no_success" : "literal" })}
            options={[
              { id: "literal", name: "Disable the endpoint" },
              { id: "no_success", name: "Disable it only if nothing arrived meanwhile" },
            ]}
          />
          <Check isSelected={choices.ordered} onChange={(ordered) => change({ ordered })}>
            One event at a time, in their order
          </Check>
          <Check isSelected={choices.honourRetryAfter} onChange={(honourRetryAfter) => change({ honourRetryAfter })}>
            Retry-After of my server lengthens a wait, up to twofold
          </Check>
        </div>
      </details>
      {isElsewhere && (
        <p className="notice bad" role="alert">
          {errorText(error)}
        </p>
      )}
      {children}
    </FormWithFaults>
  );
};
