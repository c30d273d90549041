import { OpenTracker } from "@postern/core/send";
import { Effect } from "effect";
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http";

/** A transparent image of one pixel (GIF89a). */
const PIXEL = new Uint8Array(Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64"));

/** `GET /t/{id}.gif`: the same image for every id, known or unknown (spec 7). */
export const OpenPixel = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const tracking = yield* OpenTracker;
    yield* router.add(
      "GET",
      "/t/:picture",
      Effect.gen(function* () {
        const { headers } = yield* HttpServerRequest.HttpServerRequest;
        const { picture = "" } = yield* HttpRouter.params;
        const purpose = headers["sec-purpose"] ?? headers["x-purpose"] ?? headers["purpose"] ?? "";
        const id = picture.replace(/\.gif$/, "");
        if (id.length <= 64) yield* tracking.recordHit(id, headers["user-agent"] ?? "", purpose);
        return HttpServerResponse.uint8Array(PIXEL, {
          contentType: "image/gif",
          headers: { "cross-origin-resource-policy": "cross-origin" },
        });
      }),
    );
  }),
);
