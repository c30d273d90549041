import { ApiProblem } from "@postern/client/browser";
import { useCallback, useEffect, useReducer, useRef } from "react";
import { errorText } from "../ui/error-text.ts";
import type { DraftFile } from "./draft.ts";
import { type Uploaded, uploadFile } from "./upload-file.ts";

/** A file of a draft: uploading, uploaded, or refused. */
export interface Attachment {
  readonly key: number;
  readonly name: string;
  readonly size: number;
  readonly progress: number;
  readonly uploaded: Uploaded | null;
  readonly fault: string | null;
}

type Change =
  | { readonly add: Attachment }
  | { readonly key: number; readonly change: Partial<Attachment> }
  | { readonly remove: number };

const reduce = (all: ReadonlyArray<Attachment>, change: Change): ReadonlyArray<Attachment> => {
  if ("add" in change) return [...all, change.add];
  if ("remove" in change) return all.filter(({ key }) => key !== change.remove);
  return all.map((one) => (one.key === change.key ? { ...one, ...change.change } : one));
};

export interface Limits {
  readonly maxAttachmentBytes: number;
  readonly maxAttachments: number;
}

const INTERRUPTED = "was not uploaded because you left the page: attach it again";
const EXPIRED = "has expired, because the service keeps uploads for 24 hours: attach it again";

/** Returns the files of a saved draft. A file whose upload was interrupted is shown as a fault, not dropped silently. */
const restored = (files: ReadonlyArray<DraftFile>): ReadonlyArray<Attachment> =>
  files.map(({ name, size, uploaded }, key) => ({
    key,
    name,
    size,
    progress: 1,
    uploaded,
    fault: uploaded === null ? INTERRUPTED : null,
  }));

/** Returns the files of a draft; each is uploaded when it is added, unless it exceeds the limits. */
export const useAttachments = (limits: Limits | undefined, kept: ReadonlyArray<DraftFile>) => {
  const [all, apply] = useReducer(reduce, kept, restored);
  const next = useRef(kept.length);
  const underWay = useRef(new Map<number, AbortController>());

  useEffect(() => {
    const uploads = underWay.current;
    return () => {
      for (const upload of uploads.values()) upload.abort();
    };
  }, []);

  const add = useCallback(
    (file: File) => {
      const key = next.current++;
      const isTooLarge = limits !== undefined && file.size > limits.maxAttachmentBytes;
      const fault = isTooLarge ? "is larger than the limit for a file" : null;
      apply({ add: { key, name: file.name, size: file.size, progress: 0, uploaded: null, fault } });
      if (isTooLarge) return;
      const abort = new AbortController();
      underWay.current.set(key, abort);
      uploadFile(file, (progress) => apply({ key, change: { progress } }), abort.signal)
        .then((uploaded) => apply({ key, change: { uploaded, progress: 1 } }))
        .catch((error: unknown) => {
          if (!abort.signal.aborted) apply({ key, change: { fault: errorText(error) } });
        })
        .finally(() => underWay.current.delete(key));
    },
    [limits],
  );

  const remove = useCallback((key: number) => {
    underWay.current.get(key)?.abort();
    apply({ remove: key });
  }, []);

  /** Marks the files that a refused send names: `attachments.0`, … */
  const refuse = (error: unknown): void => {
    all.forEach(({ key }, n) => {
      const isRefused = error instanceof ApiProblem && error.fault(`attachments.${n}`) !== undefined;
      if (isRefused) apply({ key, change: { uploaded: null, fault: EXPIRED } });
    });
  };

  return { all, add, remove, refuse };
};
