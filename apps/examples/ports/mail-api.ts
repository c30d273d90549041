import type { PosternMailTransport } from "@postern/server";

/** Errors of `fetch` before a connection existed; after any other error the API may have accepted the message. */
const UNCONNECTED = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "UND_ERR_CONNECT_TIMEOUT"];

/** Sends messages by a mail API that takes the envelope and the message as JSON. */
export const mailApi = (api: string): PosternMailTransport => ({
  maxMessageBytes: 20_000_000,
  send: async ({ id, from, recipients, raw, signal }) => {
    const body = JSON.stringify({ id, from, recipients, raw: Buffer.from(raw).toString("base64") });
    try {
      const { ok, status } = await fetch(api, { method: "POST", body, signal });
      if (ok) return { result: "accepted" };
      return {
        result: "refused",
        detail: `the mail API answered ${status}`,
        temporary: status === 429 || status >= 500,
      };
    } catch (error) {
      const code = (error as { readonly cause?: NodeJS.ErrnoException }).cause?.code ?? "";
      if (UNCONNECTED.includes(code)) return { result: "not_sent", detail: code };
      throw error; // The message may have been sent, so it is not sent again.
    }
  },
});
