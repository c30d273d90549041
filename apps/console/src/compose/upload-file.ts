import { ApiProblem, type ApiRequest } from "@postern/client/browser";
import { sessionMayHaveEnded } from "../api/client.ts";
import { PREFIX } from "../api/prefix.ts";

/** As a send takes it (spec 2.4). */
export type Uploaded = NonNullable<ApiRequest<"POST /api/send">["payload"]["attachments"]>[number];

/** Brings a file to the service; `XMLHttpRequest`, because `fetch` does not tell how far it is. */
export const uploadFile = (file: File, onProgress: (part: number) => void, signal: AbortSignal): Promise<Uploaded> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const form = new FormData();
    form.append("file", file, file.name);
    request.open("POST", `${PREFIX}/api/uploads`);
    request.responseType = "json";
    request.upload.addEventListener("progress", ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total));
    request.addEventListener("load", () => {
      const body = request.response as { readonly data: Uploaded } | null;
      if (request.status === 200 && body !== null) resolve(body.data);
      else {
        const problem = new ApiProblem(request.status, body, null);
        if (request.status === 401) sessionMayHaveEnded(problem);
        reject(problem);
      }
    });
    request.addEventListener("error", () =>
      reject(new ApiProblem(0, { code: "offline", title: "The file could not be uploaded." }, null)),
    );
    request.addEventListener("abort", () => reject(new DOMException("The upload was given up.", "AbortError")));
    signal.addEventListener("abort", () => request.abort());
    request.send(form);
  });
