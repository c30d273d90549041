import { Button } from "../../ui/Button.tsx";
import { titleOf } from "../../ui/error-text.ts";
import { dayAndTime } from "../../ui/time.ts";
import { type DraftRecord, addressList } from "./draft.ts";
import type { DraftSaver } from "./DraftSaver.ts";
import type { SaverState } from "./saver-state.ts";

/** A short text that tells whether the service has the draft. */
export const SaveStatus = ({ save, isKept }: Pick<SaverState, "save" | "isKept">) => (
  <p className="save-status soft small" role="status">
    {save.is === "saved" && "Saved in Drafts"}
    {save.is === "saving" && "Saving…"}
    {save.is === "unsaved" && "Not saved yet"}
    {save.is === "failed" &&
      `Not saved: ${titleOf(save.error)}. ` +
        (isKept ? "It is kept in this browser" : "It is lost when you leave the page") +
        (save.willRetry ? ", and saved when the service answers." : ".")}
  </p>
);

export interface DraftConflictProps {
  readonly save: SaverState["save"];
  readonly saver: DraftSaver;
  readonly onTakeOther: () => void;
}

/** Asks what to do about a draft that was changed, sent or deleted elsewhere. Nothing is saved before the user chooses. */
export const DraftConflict = ({ save, saver, onTakeOther }: DraftConflictProps) => {
  if (save.is === "gone") {
    return (
      <div className="notice warn conflict" role="alert">
        <p>This draft was sent or deleted elsewhere. What you see is only in this browser.</p>
        <div className="buttons">
          <Button onPress={() => void saver.resolve("keepBoth")}>Save as a new draft</Button>
        </div>
      </div>
    );
  }
  if (save.is !== "changed") return null;
  return (
    <div className="notice warn conflict" role="alert">
      <p>
        This draft was changed elsewhere, at {dayAndTime(save.theirs.savedAt)}. Your version is kept in this browser;
        the other one is in Drafts.
      </p>
      <details>
        <summary>Show the other version</summary>
        <OtherVersion record={save.theirs} />
      </details>
      <div className="buttons">
        <Button look="primary" onPress={() => void saver.resolve("keepBoth")}>
          Keep both
        </Button>
        <Button onPress={() => void saver.resolve("replace")}>Replace the other</Button>
        <Button onPress={onTakeOther}>Discard mine</Button>
      </div>
    </div>
  );
};

const OtherVersion = ({ record: { to, subject, text, attachments } }: { readonly record: DraftRecord }) => (
  <dl className="other-version">
    <dt>To</dt>
    <dd dir="auto">{addressList(to) || "No recipients"}</dd>
    <dt>Subject</dt>
    <dd dir="auto">{subject || "No subject"}</dd>
    <dt>Message</dt>
    <dd className="other-text" dir="auto">
      {text ?? ""}
    </dd>
    {attachments.length > 0 && (
      <>
        <dt>Files</dt>
        <dd>{attachments.map(({ name }) => name).join(", ")}</dd>
      </>
    )}
  </dl>
);
