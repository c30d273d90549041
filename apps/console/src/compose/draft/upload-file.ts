import { ApiProblem, type ApiRequest } from "@postern/client/browser";
import { endSessionAfter401 } from "../../api/client.ts";
import { PREFIX } from "../../api/prefix.ts";
import { accountHeader } from "../../api/signed-in.ts";
import { t } from "../../texts/text.ts";

/** An uploaded file, as a request refers to it (spec 2.4). */
export type Uploaded = NonNullable<NonNullable<ApiRequest<"PUT /api/drafts/:id">["payload"]>["attachments"]>[number];

/** Uploads a file with `XMLHttpRequest`, because `fetch` reports no progress. */
export const uploadFile = (file: File, onProgress: (part: number) => void, signal: AbortSignal): Promise<Uploaded> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const form = new FormData();
    form.append("file", file, file.name);
    request.open("POST", `${PREFIX}/api/uploads`);
    for (const [name, value] of Object.entries(accountHeader())) request.setRequestHeader(name, value);
    request.responseType = "json";
    request.upload.addEventListener("progress", ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total));
    request.addEventListener("load", () => {
      const body = request.response as { readonly data: Uploaded } | null;
      if (request.status === 200 && body !== null) resolve(body.data);
      else {
        const problem = new ApiProblem(request.status, body, null);
        if (request.status === 401) endSessionAfter401(problem);
        reject(problem);
      }
    });
    request.addEventListener("error", () =>
      reject(new ApiProblem(0, { code: "offline", title: t("The file was not uploaded") }, null)),
    );
    request.addEventListener("abort", () => reject(new DOMException("The upload was cancelled", "AbortError")));
    signal.addEventListener("abort", () => request.abort());
    request.send(form);
  });
