import { Identities, verificationPath } from "@postern/core/send";
import type { StoreUnavailable } from "@postern/core/shared";
import { Effect, Option } from "effect";
import { HttpRouter, HttpServerResponse } from "effect/http";
import { answerOf } from "../problems/answer-of.ts";
import { RequestId } from "../wire/RequestId.ts";
import { respond } from "../edge/respond.ts";

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

const page = (title: string, body: string, status = 200) =>
  HttpServerResponse.text(
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
      `<title>${title}</title><body><main><h1>${title}</h1>${body}</main></body></html>`,
    { status, contentType: "text/html; charset=utf-8" },
  );

const expired = page(
  "This link is not valid",
  "<p>It was used already or is older than 7 days. Add the address again to get another mail.</p>",
  404,
);

/**
 * The page behind the link in the verification mail to an alias (spec 12.2). Only its button verifies the address,
 * because programs that scan mail open every link in it.
 */
export const VerificationPage = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const identities = yield* Identities;
    const answered = (
      find: (token: string) => Effect.Effect<Option.Option<string>, StoreUnavailable>,
      show: (address: string) => HttpServerResponse.HttpServerResponse,
    ) =>
      Effect.flatMap(HttpRouter.params, ({ token = "" }) => find(token)).pipe(
        Effect.map(Option.match({ onNone: () => expired, onSome: (address) => show(escaped(address)) })),
        Effect.catch((error) => Effect.flatMap(RequestId, (id) => respond(answerOf(error, id, "")))),
      );

    yield* router.add(
      "GET",
      verificationPath(":token") as "/verify/:token",
      answered(identities.addressOfLink, (address) =>
        page(
          "Confirm this address",
          `<p>Mail may be sent as <strong>${address}</strong> once you confirm.</p>` +
            `<form method="post"><button>Confirm</button></form>`,
        ),
      ),
    );
    yield* router.add(
      "POST",
      verificationPath(":token") as "/verify/:token",
      answered(identities.verify, (address) =>
        page("Address confirmed", `<p>Mail may now be sent as <strong>${address}</strong>.</p>`),
      ),
    );
  }),
);
