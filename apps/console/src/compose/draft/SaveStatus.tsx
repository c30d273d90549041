import { Button } from "../../ui/Button.tsx";
import { titleOf } from "../../ui/error-text.ts";
import { dayAndTime } from "../../ui/time.ts";
import { addressList } from "../../mail/emails/people.ts";
import type { DraftRecord } from "./draft.ts";
import type { DraftSaver } from "./DraftSaver.ts";
import type { SaverState } from "./saver-state.ts";
import { t } from "../../texts/text.ts";

/** A short text that shows whether the service has the draft. */
export const SaveStatus = ({ save, isKept }: Pick<SaverState, "save" | "isKept">) => (
  <p className="save-status soft small" role="status">
    {save.is === "saved" && t("Saved in Drafts")}
    {save.is === "saving" && t("Saving…")}
    {save.is === "unsaved" && t("Not saved yet")}
    {save.is === "failed" &&
      t(
        isKept
          ? save.willRetry
            ? "Not saved: {error}. It is kept in this browser, and saved when the service answers."
            : "Not saved: {error}. It is kept in this browser."
          : save.willRetry
            ? "Not saved: {error}. It is lost when you leave the page, and saved when the service answers."
            : "Not saved: {error}. It is lost when you leave the page.",
        { error: titleOf(save.error) },
      )}
  </p>
);

export interface DraftConflictProps {
  readonly save: SaverState["save"];
  readonly saver: DraftSaver;
  readonly onTakeOther: () => void;
}

/**
 * Asks the user what to do about a draft that was changed, sent or deleted elsewhere. Nothing is saved before the user
 * chooses.
 */
export const DraftConflict = ({ save, saver, onTakeOther }: DraftConflictProps) => {
  if (save.is === "gone") {
    return (
      <div className="notice warn conflict" role="alert">
        <p>{t("This draft was sent or deleted elsewhere. What you see is only in this browser.")}</p>
        <div className="buttons">
          <Button onPress={() => void saver.resolve("keepBoth")}>{t("Save as a new draft")}</Button>
        </div>
      </div>
    );
  }
  if (save.is !== "changed") return null;
  return (
    <div className="notice warn conflict" role="alert">
      <p>
        {t(
          "This draft was changed elsewhere, at {time}. Your version is kept in this browser; the other one is in Drafts.",
          { time: dayAndTime(save.theirs.savedAt) },
        )}
      </p>
      <details>
        <summary>{t("Show the other version")}</summary>
        <OtherVersion record={save.theirs} />
      </details>
      <div className="buttons">
        <Button look="primary" onPress={() => void saver.resolve("keepBoth")}>
          {t("Keep both")}
        </Button>
        <Button onPress={() => void saver.resolve("replace")}>{t("Replace the other")}</Button>
        <Button onPress={onTakeOther}>{t("Discard mine")}</Button>
      </div>
    </div>
  );
};

const OtherVersion = ({ record: { to, subject, text, attachments } }: { readonly record: DraftRecord }) => (
  <dl className="other-version">
    <dt>{t("To")}</dt>
    <dd dir="auto">{addressList(to) || t("No recipients")}</dd>
    <dt>{t("Subject")}</dt>
    <dd dir="auto">{subject || t("No subject")}</dd>
    <dt>{t("Message")}</dt>
    <dd className="other-text" dir="auto">
      {text ?? ""}
    </dd>
    {attachments.length > 0 && (
      <>
        <dt>{t("Files")}</dt>
        <dd>{attachments.map(({ name }) => name).join(t(", "))}</dd>
      </>
    )}
  </dl>
);
