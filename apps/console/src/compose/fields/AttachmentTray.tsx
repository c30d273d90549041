import { Paperclip, X } from "../../ui/icons/icons.tsx";
import { Button as AriaButton, DropZone, FileTrigger, ProgressBar, Text } from "react-aria-components";
import { Button } from "../../ui/Button.tsx";
import { bytes } from "../../ui/bytes.ts";
import type { Limits } from "../draft/attachments.ts";
import type { DraftFile } from "../draft/draft.ts";
import { t } from "../../texts/text.ts";

export interface AttachmentTrayProps {
  readonly files: ReadonlyArray<DraftFile>;
  readonly limits: Limits | undefined;
  readonly onAdd: (file: File) => void;
  readonly onRemove: (key: string) => void;
}

/** The files of a draft with their upload progress. The user drops or chooses files here. */
export const AttachmentTray = ({ files, limits, onAdd, onRemove }: AttachmentTrayProps) => (
  <div className="tray">
    <DropZone
      className="drop"
      aria-label={t("Attachments: drop files here")}
      onDrop={({ items }) => {
        for (const item of items) if (item.kind === "file") void item.getFile().then(onAdd);
      }}
    >
      <FileTrigger allowsMultiple onSelect={(chosen) => [...(chosen ?? [])].forEach(onAdd)}>
        <AriaButton className="button">
          <Paperclip size={17} aria-hidden />
          {t("Attach files")}
        </AriaButton>
      </FileTrigger>
      <Text slot="label" className="hint">
        {t("or drop them here.")}{" "}
        {limits !== undefined &&
          t("At most {count, plural, one {# file} other {# files}}, each up to {size}.", {
            count: limits.maxAttachments,
            size: bytes(limits.maxAttachmentBytes),
          })}
      </Text>
    </DropZone>
    {files.length > 0 && (
      <ul className="tray-files">
        {files.map(({ key, name, size, progress, uploaded, fault }) => (
          <li key={key} className="tray-file">
            <span className="file-name" dir="auto">
              {name}
            </span>
            <span className="soft small">{bytes(size)}</span>
            {fault !== null ? (
              <span className="fault" role="alert">
                {fault}
              </span>
            ) : uploaded === null ? (
              <ProgressBar aria-label={t("Uploading {name}", { name })} value={progress * 100} className="progress">
                {({ percentage }) => <span className="progress-fill" style={{ width: `${percentage ?? 0}%` }} />}
              </ProgressBar>
            ) : (
              <span className="tag good">{t("ready")}</span>
            )}
            <Button
              look="quiet"
              label={t("Remove {name}", { name })}
              icon={<X size={16} aria-hidden />}
              onPress={() => onRemove(key)}
            />
          </li>
        ))}
      </ul>
    )}
  </div>
);
