import type { AccessLevel } from "@postern/core/assistants";
import type { PageLanguage } from "../wire/accepted-language.ts";

/** The texts of the page on which a person gives an assistant access, in one language. */
export interface ConsentTexts {
  readonly title: string;
  readonly wants: (who: string) => string;
  readonly unverified: string;
  readonly calledByOperator: (name: string) => string;
  readonly callsItself: (name: string) => string;
  readonly toThisComputer: string;
  readonly goesTo: (host: string) => string;
  readonly lasts: string;
  readonly operated: (operator: string) => string;
  readonly no: string;
  readonly signInFirst: string;
  readonly email: string;
  readonly password: string;
  readonly signIn: string;
  readonly noPassword: string;
  readonly mayDo: (account: string) => string;
  readonly levels: Readonly<Record<AccessLevel, readonly [label: string, more: string]>>;
  readonly sending: string;
  readonly sendsToNamed: string;
  readonly othersAsk: string;
  readonly addresses: string;
  readonly withoutNames: string;
  readonly allow: string;
  readonly malformed: string;
  readonly refused: string;
  readonly httpsOnly: string;
  readonly twice: string;
  readonly unknownClient: (reason: string) => string;
  /** The reasons why a client is rejected. */
  readonly clientFaults: Readonly<
    Record<"id_missing" | "id_unknown" | "redirect_uri_foreign" | "document_wrong" | "document_unread", string>
  >;
  readonly unavailable: string;
  readonly otherPage: string;
}

const EN: ConsentTexts = {
  title: "Allow access to your mailbox",
  wants: (who) => `${who} asks to use your mailbox.`,
  unverified: "An unverified assistant",
  calledByOperator: (name) => `The operator of this mail service calls it “${name}”.`,
  callsItself: (name) => `It calls itself “${name}”.`,
  toThisComputer: "The access goes to a program on this computer. Allow it only if you have just started it yourself.",
  goesTo: (host) => `The access goes to ${host}.`,
  lasts: "What an assistant reads, its provider reads. The access lasts until you end it, or for 30 days without use.",
  operated: (operator) => `This mail service is operated by ${operator}.`,
  no: "No, go back",
  signInFirst: "Sign in to the mailbox first.",
  email: "E-mail address",
  password: "Password",
  signIn: "Sign in",
  noPassword: "If your mailbox has no password here, sign in on this service first, and open this page again.",
  mayDo: (account) => `In the mailbox ${account} it may`,
  levels: {
    read: ["Read", "messages, folders and files"],
    draft: ["Read and draft", "also write drafts, which you send yourself"],
    organize: ["Read, draft and organize", "also mark, label and move messages, and put them into Trash"],
  },
  sending: "Sending",
  sendsToNamed: "Send to people I name",
  othersAsk: "others need my approval",
  addresses: "Addresses or @domains, one a line",
  withoutNames: "If you name no one, every message needs your approval.",
  allow: "Allow",
  malformed: "Write one address or @domain a line, at most 100.",
  refused: "Access cannot be given",
  httpsOnly: "Browsers can sign in to this service only over HTTPS.",
  twice: "The request names a parameter twice.",
  unknownClient: (reason) => `The assistant that sent you here cannot be identified: ${reason}.`,
  clientFaults: {
    id_missing: "client_id is missing",
    id_unknown: "client_id is unknown",
    redirect_uri_foreign: "redirect_uri is not one of the client",
    document_wrong: "its document does not describe a public client with this client_id",
    document_unread: "its document could not be read",
  },
  unavailable: "The service cannot answer now. Try again in a moment.",
  otherPage: "This form was not sent from this page.",
};

const DE: ConsentTexts = {
  title: "Zugriff auf Ihr Postfach erlauben",
  wants: (who) => `${who} möchte Ihr Postfach nutzen.`,
  unverified: "Ein nicht geprüfter Assistent",
  calledByOperator: (name) => `Der Betreiber dieses Mail-Dienstes nennt ihn „${name}“.`,
  callsItself: (name) => `Er nennt sich „${name}“.`,
  toThisComputer:
    "Den Zugriff erhält ein Programm auf diesem Computer. Erlauben Sie ihn nur, wenn Sie es gerade selbst gestartet haben.",
  goesTo: (host) => `Den Zugriff erhält ${host}.`,
  lasts:
    "Was ein Assistent liest, liest auch sein Anbieter. Der Zugriff gilt, bis Sie ihn beenden oder er 30 Tage nicht genutzt wird.",
  operated: (operator) => `Diesen Mail-Dienst betreibt ${operator}.`,
  no: "Nein, zurück",
  signInFirst: "Melden Sie sich zuerst bei dem Postfach an.",
  email: "E-Mail-Adresse",
  password: "Passwort",
  signIn: "Anmelden",
  noPassword:
    "Wenn Ihr Postfach hier kein Passwort hat, melden Sie sich zuerst bei diesem Dienst an, und öffnen Sie diese Seite erneut.",
  mayDo: (account) => `Im Postfach ${account} darf er`,
  levels: {
    read: ["Lesen", "Nachrichten, Ordner und Dateien"],
    draft: ["Lesen und entwerfen", "auch Entwürfe schreiben, die Sie selbst senden"],
    organize: [
      "Lesen, entwerfen und ordnen",
      "auch Nachrichten markieren, mit Labels versehen, verschieben und in den Papierkorb legen",
    ],
  },
  sending: "Senden",
  sendsToNamed: "An Personen senden, die ich nenne",
  othersAsk: "für andere ist meine Freigabe nötig",
  addresses: "Adressen oder @Domains, je Zeile eine",
  withoutNames: "Ohne Namen fragt jedes Senden um Ihre Freigabe.",
  allow: "Erlauben",
  malformed: "Schreiben Sie je Zeile eine Adresse oder @Domain, höchstens 100.",
  refused: "Der Zugriff kann nicht gegeben werden",
  httpsOnly: "Browser können sich bei diesem Dienst nur über HTTPS anmelden.",
  twice: "Die Anfrage nennt einen Parameter zweimal.",
  unknownClient: (reason) => `Der Assistent, der Sie hierher geschickt hat, ist nicht zu erkennen: ${reason}.`,
  clientFaults: {
    id_missing: "client_id fehlt",
    id_unknown: "client_id ist unbekannt",
    redirect_uri_foreign: "redirect_uri gehört nicht zu diesem Client",
    document_wrong: "sein Dokument beschreibt keinen öffentlichen Client mit dieser client_id",
    document_unread: "sein Dokument war nicht zu lesen",
  },
  unavailable: "Der Dienst kann jetzt nicht antworten. Versuchen Sie es gleich noch einmal.",
  otherPage: "Dieses Formular wurde nicht von dieser Seite gesendet.",
};

const FR: ConsentTexts = {
  title: "Autoriser l’accès à votre boîte aux lettres",
  wants: (who) => `${who} demande à utiliser votre boîte aux lettres.`,
  unverified: "Un assistant non vérifié",
  calledByOperator: (name) => `L’opérateur de ce service de messagerie l’appelle « ${name} ».`,
  callsItself: (name) => `Il se présente comme « ${name} ».`,
  toThisComputer:
    "L’accès est donné à un programme de cet ordinateur. Ne l’autorisez que si vous venez de le lancer vous-même.",
  goesTo: (host) => `L’accès est donné à ${host}.`,
  lasts:
    "Ce qu’un assistant lit, son fournisseur le lit aussi. L’accès dure jusqu’à ce que vous y mettiez fin, ou 30 jours sans utilisation.",
  operated: (operator) => `Ce service de messagerie est exploité par ${operator}.`,
  no: "Non, revenir",
  signInFirst: "Connectez-vous d’abord à la boîte aux lettres.",
  email: "Adresse e-mail",
  password: "Mot de passe",
  signIn: "Se connecter",
  noPassword:
    "Si votre boîte n’a pas de mot de passe ici, connectez-vous d’abord à ce service, puis ouvrez de nouveau cette page.",
  mayDo: (account) => `Dans la boîte ${account}, il peut`,
  levels: {
    read: ["Lire", "les messages, les dossiers et les fichiers"],
    draft: ["Lire et rédiger", "aussi écrire des brouillons, que vous envoyez vous-même"],
    organize: [
      "Lire, rédiger et classer",
      "aussi marquer, étiqueter et déplacer des messages, et les mettre à la corbeille",
    ],
  },
  sending: "Envoi",
  sendsToNamed: "Envoyer aux personnes que je nomme",
  othersAsk: "pour les autres, mon approbation est nécessaire",
  addresses: "Adresses ou @domaines, une par ligne",
  withoutNames: "Sans noms, chaque envoi demande votre approbation.",
  allow: "Autoriser",
  malformed: "Écrivez une adresse ou un @domaine par ligne, 100 au plus.",
  refused: "L’accès ne peut pas être donné",
  httpsOnly: "Les navigateurs ne peuvent se connecter à ce service qu’en HTTPS.",
  twice: "La requête nomme deux fois un paramètre.",
  unknownClient: (reason) => `L’assistant qui vous a envoyé ici ne peut pas être identifié : ${reason}.`,
  clientFaults: {
    id_missing: "client_id manque",
    id_unknown: "client_id est inconnu",
    redirect_uri_foreign: "redirect_uri n’est pas l’une de celles du client",
    document_wrong: "son document ne décrit pas un client public avec ce client_id",
    document_unread: "son document n’a pas pu être lu",
  },
  unavailable: "Le service ne peut pas répondre pour le moment. Réessayez dans un instant.",
  otherPage: "Ce formulaire n’a pas été envoyé depuis cette page.",
};

const AR: ConsentTexts = {
  title: "السماح بالوصول إلى صندوق بريدك",
  wants: (who) => `يطلب ${who} استخدام صندوق بريدك.`,
  unverified: "مساعد غير موثَّق",
  calledByOperator: (name) => `يسمّيه مشغّل خدمة البريد هذه «${name}».`,
  callsItself: (name) => `يسمّي نفسه «${name}».`,
  toThisComputer: "يُمنح الوصول لبرنامج على هذا الحاسوب. لا تسمح به إلا إذا كنت قد شغّلته بنفسك للتو.",
  goesTo: (host) => `يُمنح الوصول لـ ${host}.`,
  lasts: "ما يقرؤه المساعد يقرؤه مزوّده. يستمر الوصول حتى تنهيه، أو 30 يومًا دون استخدام.",
  operated: (operator) => `تشغّل ${operator} خدمة البريد هذه.`,
  no: "لا، العودة",
  signInFirst: "سجِّل الدخول إلى صندوق البريد أولًا.",
  email: "عنوان البريد الإلكتروني",
  password: "كلمة المرور",
  signIn: "تسجيل الدخول",
  noPassword: "إن لم تكن لصندوق بريدك كلمة مرور هنا، فسجِّل الدخول إلى هذه الخدمة أولًا، ثم افتح هذه الصفحة مرة أخرى.",
  mayDo: (account) => `ما يُسمح له به في صندوق البريد ${account}`,
  levels: {
    read: ["القراءة", "الرسائل والمجلدات والملفات"],
    draft: ["القراءة وكتابة المسودات", "يكتب أيضًا مسودات ترسلها بنفسك"],
    organize: ["القراءة وكتابة المسودات والتنظيم", "يميّز الرسائل ويصنّفها وينقلها ويضعها في المهملات أيضًا"],
  },
  sending: "الإرسال",
  sendsToNamed: "الإرسال إلى من أسمّيهم",
  othersAsk: "ومن سواهم يحتاج إلى موافقتي",
  addresses: "عناوين أو @نطاقات، واحد في كل سطر",
  withoutNames: "بدون أسماء، تُطلب موافقتك عند كل إرسال.",
  allow: "سماح",
  malformed: "اكتب عنوانًا أو @نطاقًا واحدًا في كل سطر، 100 على الأكثر.",
  refused: "لا يمكن منح الوصول",
  httpsOnly: "لا يمكن للمتصفحات تسجيل الدخول إلى هذه الخدمة إلا عبر HTTPS.",
  twice: "يذكر الطلب أحد المعاملات مرتين.",
  unknownClient: (reason) => `لا يمكن التعرف على المساعد الذي أرسلك إلى هنا: ${reason}.`,
  clientFaults: {
    id_missing: "client_id غير موجود",
    id_unknown: "client_id غير معروف",
    redirect_uri_foreign: "redirect_uri ليس من عناوين هذا العميل",
    document_wrong: "وثيقته لا تصف عميلًا عامًا بهذا client_id",
    document_unread: "تعذّرت قراءة وثيقته",
  },
  unavailable: "لا يمكن للخدمة الرد الآن. حاول مرة أخرى بعد لحظات.",
  otherPage: "لم يُرسل هذا النموذج من هذه الصفحة.",
};

/** The texts by language. */
export const CONSENT_TEXTS: Readonly<Record<PageLanguage, ConsentTexts>> = { en: EN, de: DE, fr: FR, ar: AR };
