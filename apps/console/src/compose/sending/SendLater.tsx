import { useState } from "react";
import { Button as AriaButton, Menu, MenuItem, MenuTrigger, Popover } from "react-aria-components";
import { Button } from "../../ui/Button.tsx";
import { Field } from "../../ui/forms/Field.tsx";
import { FormWithFaults } from "../../ui/forms/FormWithFaults.tsx";
import { ChevronDown } from "../../ui/icons/icons.tsx";
import { Popup } from "../../ui/popups/Popup.tsx";
import { dayAndTime } from "../../ui/time.ts";
import { fieldValue, sendTimes, timeFault } from "./send-times.ts";
import { t } from "../../texts/text.ts";

export interface SendLaterProps {
  readonly isDisabled: boolean;
  readonly onChoose: (at: Date) => void;
  /** Called when the user wants another time. */
  readonly onOther: () => void;
}

/** A menu of times at which to send the message. */
export const SendLater = ({ isDisabled, onChoose, onOther }: SendLaterProps) => {
  const [times, setTimes] = useState(() => sendTimes(new Date()));
  const choose = (key: string): void => {
    const time = times.find(({ name }) => name === key);
    if (time === undefined) onOther();
    else onChoose(time.at);
  };
  return (
    <MenuTrigger onOpenChange={(open) => open && setTimes(sendTimes(new Date()))}>
      <AriaButton className="button" isDisabled={isDisabled}>
        {t("Send later")}
        <ChevronDown size={16} aria-hidden />
      </AriaButton>
      <Popover className="popover">
        <Menu aria-label={t("Send later")} onAction={(key) => choose(String(key))}>
          {times.map(({ name, at }) => (
            <MenuItem key={name} id={name} textValue={t(name)} className="option send-time">
              <span>{t(name)}</span>
              <span className="soft small">{dayAndTime(at.toISOString())}</span>
            </MenuItem>
          ))}
          <MenuItem id="other" className="option">
            {t("Choose a time…")}
          </MenuItem>
        </Menu>
      </Popover>
    </MenuTrigger>
  );
};

const HOUR_MILLIS = 3_600_000;

export interface SendTimeProps {
  readonly onChoose: (at: Date) => void;
  readonly onClose: () => void;
}

/**
 * Asks for a time at which to send the message. The question must not be inside the message's form, because it would
 * inherit that form's properties.
 */
export const SendTimeQuestion = ({ onChoose, onClose }: SendTimeProps) => {
  const [typed, setTyped] = useState(() => fieldValue(new Date(Date.now() + HOUR_MILLIS)));
  const [fault, setFault] = useState<string | undefined>(undefined);
  const submit = (): boolean => {
    const wrong = timeFault(typed, new Date());
    setFault(wrong);
    if (wrong === undefined) onChoose(new Date(typed));
    return wrong === undefined;
  };
  return (
    <Popup title={t("Send later")} isOpen onClose={onClose} isForm>
      <FormWithFaults className="send-later" onSubmit={submit} error={null}>
        <Field
          label={t("Send at")}
          type="datetime-local"
          value={typed}
          onChange={setTyped}
          fault={fault}
          isRequired
          autoFocus
        />
        <div className="buttons end">
          <Button onPress={onClose}>{t("Cancel")}</Button>
          <Button type="submit" look="primary">
            {t("Schedule")}
          </Button>
        </div>
      </FormWithFaults>
    </Popup>
  );
};
