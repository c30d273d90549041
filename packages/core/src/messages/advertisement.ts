/** Lines that a mail program adds about the device or program that sent the message, in several languages. */
const SENT_FROM = new RegExp(
  [
    "^(?:sent (?:from|via|with|using)|(?:von|aus) mein(?:e[mr]?)? |gesendet (?:von|mit|über|aus|vom|via)|",
    "envoyé (?:de|depuis|à partir|avec|par|via)|enviado (?:desde|de|del|do|da|pelo|pela|com|con|via|a partir)|",
    "inviato (?:da|dal|con|tramite|via)|(?:verstuurd|verzonden) (?:van|vanaf|vanuit|met|via)|wysłane (?:z|ze|za)|",
    "skickat (?:från|via|med)|sendt (?:fra|via|med)|lähetetty |отправлено (?:с|со|из|от|через)|发自|發自)|",
    "(?:から送信|에서 보냄)[.。]?$",
  ].join(""),
  "iu",
);
const DEVICE =
  /iphone|ipad|android|galaxy|samsung|huawei|xiaomi|pixel|blackberry|outlook|yahoo|proton|gmx|web\.de|mail\.ru|k-9|bluemail|mail for windows|mail für windows|superhuman|mailspring|spark|phone|mobil|handy|telefon|téléphone|móvil|手机|手機/iu;

/** `Get Outlook for iOS` */
const GET = new RegExp(
  [
    "^(?:get|download|hämta|hent|hanki|obter|obțineți|získat|获取|獲取|取得|下载|holen|télécharge[rz]|obtene[zr]|obtenir|ottieni|",
    "scarica|pobierz)(?![\\p{L}])|(?:を入手|beziehen|downloaden|herunterladen)[.。]?$",
  ].join(""),
  "iu",
);
const PROGRAM = /outlook|yahoo|proton|gmx|web\.de|mail\.ru|k-9|bluemail|superhuman|mailspring|spark/iu;

/** Signs of a sentence: its punctuation, verbs and conjunctions. */
const PROSE =
  /[;!?？！]|[.。]\s+\S|,(?! an? )|(?<![\p{L}])(?:is|was|are|were|be|because|but|so|while|when|if|since|that|which|i|we|you|he|she|they|please|sorry|not|much|than|then|today|yesterday|tomorrow|your|ist|war|weil|aber|ich|wir|sie|dein|deinem|ihrem|gestern|heute|est|était|mais|parce|vous|hier|ton|votre|es que|pero|porque|ayer|hoy|tu|seu|ontem|hoje|ma|perché|ieri|tuo|maar|omdat|gisteren)(?![\p{L}])/iu;

const MAX_WORDS = 12;

/**
 * Returns whether a line is an advertisement that a mail program adds below a message. False for any full sentence,
 * because the author may have written it, and a lost line is worse than a kept advertisement.
 */
export const isAdvertisement = (line: string): boolean => {
  const words = line.trim().replace(/\s?<https?:\/\/[^\s<>]*>$/, "");
  if (words.length > 120 || words.split(/\s+/).length > MAX_WORDS || PROSE.test(words)) return false;
  return (SENT_FROM.test(words) && DEVICE.test(words)) || (GET.test(words) && PROGRAM.test(words));
};
