import { Identities, verificationPath } from "@postern/core/send";
import type { StoreUnavailable } from "@postern/core/shared";
import { Effect, Option } from "effect";
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http";
import { answerOf } from "../problems/answer-of.ts";
import { acceptedLanguage, type PageLanguage, type PageTongue } from "../wire/accepted-language.ts";
import { RequestId } from "../wire/RequestId.ts";
import { respond } from "../edge/respond.ts";

const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** The texts of the pages in one language; `address` is HTML. */
interface VerificationTexts {
  readonly expired: string;
  readonly addAgain: string;
  readonly confirmTitle: string;
  readonly willSend: (address: string) => string;
  readonly confirm: string;
  readonly confirmed: string;
  readonly maySend: (address: string) => string;
}

const TEXTS: Readonly<Record<PageLanguage, VerificationTexts>> = {
  en: {
    expired: "This link is not valid",
    addAgain: "It was used already or is older than 7 days. Add the address again to get another mail.",
    confirmTitle: "Confirm this address",
    willSend: (address) => `Mail may be sent as ${address} once you confirm.`,
    confirm: "Confirm",
    confirmed: "Address confirmed",
    maySend: (address) => `Mail may now be sent as ${address}.`,
  },
  de: {
    expired: "Dieser Link ist nicht gültig",
    addAgain:
      "Er wurde schon verwendet oder ist älter als 7 Tage. Fügen Sie die Adresse erneut hinzu, um eine neue E-Mail zu erhalten.",
    confirmTitle: "Diese Adresse bestätigen",
    willSend: (address) => `Sobald Sie bestätigen, können E-Mails mit dem Absender ${address} gesendet werden.`,
    confirm: "Bestätigen",
    confirmed: "Adresse bestätigt",
    maySend: (address) => `E-Mails können jetzt mit dem Absender ${address} gesendet werden.`,
  },
  fr: {
    expired: "Ce lien n’est pas valide",
    addAgain:
      "Il a déjà servi ou date de plus de 7 jours. Ajoutez de nouveau l’adresse pour recevoir un autre message.",
    confirmTitle: "Confirmer cette adresse",
    willSend: (address) => `Dès que vous confirmez, des messages pourront être envoyés avec l’adresse ${address}.`,
    confirm: "Confirmer",
    confirmed: "Adresse confirmée",
    maySend: (address) => `Des messages peuvent maintenant être envoyés avec l’adresse ${address}.`,
  },
  ar: {
    expired: "هذا الرابط غير صالح",
    addAgain: "استُخدم من قبل أو مضى عليه أكثر من 7 أيام. أضف العنوان مرة أخرى للحصول على رسالة جديدة.",
    confirmTitle: "تأكيد هذا العنوان",
    willSend: (address) => `بعد تأكيدك يمكن إرسال الرسائل باسم ${address}.`,
    confirm: "تأكيد",
    confirmed: "تم تأكيد العنوان",
    maySend: (address) => `يمكن الآن إرسال الرسائل باسم ${address}.`,
  },
};

const page = ({ lang, dir }: PageTongue, title: string, body: string, status = 200) =>
  HttpServerResponse.text(
    `<!doctype html><html lang="${lang}" dir="${dir}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
      `<title>${title}</title><body><main><h1>${title}</h1>${body}</main></body></html>`,
    { status, contentType: "text/html; charset=utf-8" },
  );

const strong = (address: string): string => `<strong><bdi>${escapeHtml(address)}</bdi></strong>`;

/**
 * The page behind the link in the verification mail to an alias (spec 12.2). Only the button of the page verifies the
 * address, because programs that scan mail open every link in a mail.
 */
export const VerificationPage = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const identities = yield* Identities;
    const answered = (
      find: (token: string) => Effect.Effect<Option.Option<string>, StoreUnavailable>,
      show: (address: string, tongue: PageTongue) => HttpServerResponse.HttpServerResponse,
    ) =>
      Effect.gen(function* () {
        const { token = "" } = yield* HttpRouter.params;
        const { headers } = yield* HttpServerRequest.HttpServerRequest;
        const tongue = acceptedLanguage(headers["accept-language"]);
        const { expired, addAgain } = TEXTS[tongue.lang];
        return Option.match(yield* find(token), {
          onNone: () => page(tongue, expired, `<p>${addAgain}</p>`, 404),
          onSome: (address) => show(strong(address), tongue),
        });
      }).pipe(Effect.catch((error) => Effect.flatMap(RequestId, (id) => respond(answerOf(error, id, "")))));

    yield* router.add(
      "GET",
      verificationPath(":token") as "/verify/:token",
      answered(identities.addressOfLink, (address, tongue) => {
        const { confirmTitle, willSend, confirm } = TEXTS[tongue.lang];
        const body = `<p>${willSend(address)}</p><form method="post"><button>${confirm}</button></form>`;
        return page(tongue, confirmTitle, body);
      }),
    );
    yield* router.add(
      "POST",
      verificationPath(":token") as "/verify/:token",
      answered(identities.verify, (address, tongue) =>
        page(tongue, TEXTS[tongue.lang].confirmed, `<p>${TEXTS[tongue.lang].maySend(address)}</p>`),
      ),
    );
  }),
);
