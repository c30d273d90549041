import { ApiProblem } from "@postern/client/browser";
import { useEffect, useRef } from "react";
import { errorText } from "../../ui/error-text.ts";
import type { Draft, DraftFile } from "./draft.ts";
import type { DraftSaver } from "./DraftSaver.ts";
import { uploadFile } from "./upload-file.ts";
import { markText, t } from "../../texts/text.ts";

export interface Limits {
  readonly maxAttachmentBytes: number;
  readonly maxAttachments: number;
}

/** The faults of files, shown after their names. */
const FAULTS = {
  interrupted: markText("was not uploaded because you left the page: attach it again"),
  expired: markText("has expired, because the service keeps uploads for 24 hours: attach it again"),
  tooLarge: markText("is larger than the limit for a file"),
} as const;

/**
 * Returns a draft kept by the browser. A file whose upload was interrupted is shown as a fault, not silently dropped.
 */
export const restoreDraft = (draft: Draft): Draft => ({
  ...draft,
  files: draft.files.map((file) =>
    file.uploaded === null ? { ...file, fault: file.fault ?? t(FAULTS.interrupted) } : file,
  ),
});

/** Adds files to a draft and removes them; each is uploaded when it is added, unless it exceeds the limits. */
export const useAttachments = (saver: DraftSaver, limits: Limits | undefined) => {
  const underWay = useRef(new Map<string, AbortController>());

  useEffect(() => {
    const uploads = underWay.current;
    return () => {
      for (const upload of uploads.values()) upload.abort();
    };
  }, []);

  const set = (key: string, part: Partial<DraftFile>): void =>
    saver.change(({ files }) => ({ files: files.map((one) => (one.key === key ? { ...one, ...part } : one)) }));

  /** `contentId` is set for a picture in the text. */
  const add = (file: File, contentId?: string): void => {
    const key = crypto.randomUUID();
    const isTooLarge = limits !== undefined && file.size > limits.maxAttachmentBytes;
    const fault = isTooLarge ? t(FAULTS.tooLarge) : null;
    const added = {
      key,
      name: file.name,
      size: file.size,
      progress: 0,
      uploaded: null,
      fault,
      ...(contentId === undefined ? {} : { contentId }),
    };
    saver.change(({ files }) => ({ files: [...files, added] }));
    if (isTooLarge) return;
    const abort = new AbortController();
    underWay.current.set(key, abort);
    uploadFile(file, (progress) => set(key, { progress }), abort.signal)
      .then((uploaded) => set(key, { uploaded, progress: 1 }))
      .catch((error: unknown) => {
        if (!abort.signal.aborted) set(key, { fault: errorText(error) });
      })
      .finally(() => underWay.current.delete(key));
  };

  const remove = (key: string): void => {
    underWay.current.get(key)?.abort();
    saver.change(({ files }) => ({ files: files.filter((one) => one.key !== key) }));
  };

  /** Marks the files that a refusal names, as `attachments.0` and so on. */
  const refuse = (error: unknown): void => {
    if (!(error instanceof ApiProblem)) return;
    const uploaded = saver.state().draft.files.filter((file) => file.uploaded !== null);
    uploaded.forEach(({ key }, n) => {
      if (error.fault(`attachments.${n}`) !== undefined) set(key, { uploaded: null, fault: t(FAULTS.expired) });
    });
  };

  return { add, remove, refuse };
};
