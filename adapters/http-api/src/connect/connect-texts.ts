import type { PageLanguage } from "../wire/accepted-language.ts";

/** The texts of the connect pages in one language. `who` is the application, `host` a mail server. */
export interface ConnectTexts {
  readonly title: string;
  readonly wants: (who: string) => string;
  readonly mayDo: string;
  readonly scopes: Readonly<Record<string, string>>;
  readonly lasts: (who: string) => string;
  readonly operated: (operator: string) => string;
  readonly no: string;
  readonly whichMailbox: string;
  readonly email: string;
  readonly next: string;
  readonly password: string;
  readonly connect: string;
  readonly continueWith: (provider: string) => string;
  readonly signsInAt: (hosts: string) => string;
  readonly appPassword: (provider: string) => string;
  readonly howTo: string;
  readonly malformed: string;
  readonly noServer: (domain: string) => string;
  readonly refused: string;
  readonly again: string;
  readonly back: string;
}

const EN: ConnectTexts = {
  title: "Connect a mailbox",
  wants: (who) => `${who} asks to use your mailbox.`,
  mayDo: "It may then:",
  scopes: {
    "mail:read": "read your messages and folders",
    "mail:write": "move, mark and delete messages, and change folders",
    "mail:organize": "move and mark messages",
    "mail:delete": "delete messages permanently, and change folders",
    "mail:draft": "write drafts",
    "mail:send": "send messages in your name",
    events: "be told of new messages",
  },
  lasts: (who) =>
    `This lasts until it is ended: ask ${who} to disconnect the mailbox, or change the password or remove the access at your mail provider.`,
  operated: (operator) => `This mail service is operated by ${operator}.`,
  no: "No, go back",
  whichMailbox: "Which mailbox do you want to connect?",
  email: "E-mail address",
  next: "Continue",
  password: "Password",
  connect: "Connect",
  continueWith: (provider) => `Continue with ${provider}`,
  signsInAt: (hosts) => `The password is sent to ${hosts} and stored encrypted.`,
  appPassword: (provider) =>
    `${provider} does not take your usual password here. Make an app password at ${provider}, and enter that.`,
  howTo: "How to make an app password",
  malformed: "This is no e-mail address. Check it, for example name@example.com.",
  noServer: (domain) => `No mail server was found for ${domain}. Check the address.`,
  refused:
    "The mail server did not accept this. Check the password; if your provider wants an app password, enter one.",
  again: "Try again",
  back: "Go back",
};

const DE: ConnectTexts = {
  title: "Postfach verbinden",
  wants: (who) => `${who} möchte Ihr Postfach nutzen.`,
  mayDo: "Erlaubt wird damit:",
  scopes: {
    "mail:read": "Ihre Nachrichten und Ordner lesen",
    "mail:write": "Nachrichten verschieben, markieren und löschen, Ordner ändern",
    "mail:organize": "Nachrichten verschieben und markieren",
    "mail:delete": "Nachrichten endgültig löschen, Ordner ändern",
    "mail:draft": "Entwürfe schreiben",
    "mail:send": "Nachrichten in Ihrem Namen senden",
    events: "von neuen Nachrichten erfahren",
  },
  lasts: (who) =>
    `Das gilt, bis es beendet wird: Bitten Sie ${who}, das Postfach zu trennen, oder ändern Sie das Passwort oder entziehen Sie den Zugriff bei Ihrem Mail-Anbieter.`,
  operated: (operator) => `Diesen Mail-Dienst betreibt ${operator}.`,
  no: "Nein, zurück",
  whichMailbox: "Welches Postfach möchten Sie verbinden?",
  email: "E-Mail-Adresse",
  next: "Weiter",
  password: "Passwort",
  connect: "Verbinden",
  continueWith: (provider) => `Weiter mit ${provider}`,
  signsInAt: (hosts) => `Das Passwort wird an ${hosts} gesendet und verschlüsselt gespeichert.`,
  appPassword: (provider) =>
    `${provider} nimmt hier Ihr übliches Passwort nicht an. Erstellen Sie bei ${provider} ein App-Passwort (app password), und geben Sie dieses ein.`,
  howTo: "So erstellen Sie ein App-Passwort",
  malformed: "Das ist keine E-Mail-Adresse. Prüfen Sie sie, zum Beispiel name@example.com.",
  noServer: (domain) => `Für ${domain} wurde kein Mailserver gefunden. Prüfen Sie die Adresse.`,
  refused:
    "Der Mailserver hat dies nicht angenommen. Prüfen Sie das Passwort; wenn Ihr Anbieter ein App-Passwort verlangt, geben Sie eines ein.",
  again: "Erneut versuchen",
  back: "Zurück",
};

const FR: ConnectTexts = {
  title: "Connecter une boîte aux lettres",
  wants: (who) => `${who} demande à utiliser votre boîte aux lettres.`,
  mayDo: "Cela lui permet de :",
  scopes: {
    "mail:read": "lire vos messages et vos dossiers",
    "mail:write": "déplacer, marquer et supprimer des messages, modifier les dossiers",
    "mail:organize": "déplacer et marquer des messages",
    "mail:delete": "supprimer définitivement des messages, modifier les dossiers",
    "mail:draft": "écrire des brouillons",
    "mail:send": "envoyer des messages en votre nom",
    events: "être informé des nouveaux messages",
  },
  lasts: (who) =>
    `Cela dure jusqu'à ce qu'il y soit mis fin : demandez à ${who} de déconnecter la boîte, ou changez le mot de passe ou retirez l'accès chez votre fournisseur.`,
  operated: (operator) => `Ce service de messagerie est exploité par ${operator}.`,
  no: "Non, revenir",
  whichMailbox: "Quelle boîte voulez-vous connecter ?",
  email: "Adresse e-mail",
  next: "Continuer",
  password: "Mot de passe",
  connect: "Connecter",
  continueWith: (provider) => `Continuer avec ${provider}`,
  signsInAt: (hosts) => `Le mot de passe est envoyé à ${hosts} et conservé chiffré.`,
  appPassword: (provider) =>
    `${provider} n'accepte pas ici votre mot de passe habituel. Créez chez ${provider} un mot de passe d'application (app password) et saisissez-le.`,
  howTo: "Comment créer un mot de passe d'application",
  malformed: "Ce n'est pas une adresse e-mail. Vérifiez-la, par exemple nom@example.com.",
  noServer: (domain) => `Aucun serveur de messagerie n'a été trouvé pour ${domain}. Vérifiez l'adresse.`,
  refused:
    "Le serveur de messagerie n'a pas accepté. Vérifiez le mot de passe ; si votre fournisseur veut un mot de passe d'application, saisissez-en un.",
  again: "Réessayer",
  back: "Revenir",
};

const AR: ConnectTexts = {
  title: "ربط صندوق بريد",
  wants: (who) => `يطلب ${who} استخدام صندوق بريدك.`,
  mayDo: "يسمح له ذلك بما يلي:",
  scopes: {
    "mail:read": "قراءة رسائلك ومجلداتك",
    "mail:write": "نقل الرسائل وتمييزها وحذفها، وتغيير المجلدات",
    "mail:organize": "نقل الرسائل وتمييزها",
    "mail:delete": "حذف الرسائل نهائيًا، وتغيير المجلدات",
    "mail:draft": "كتابة المسودات",
    "mail:send": "إرسال رسائل باسمك",
    events: "معرفة وصول رسائل جديدة",
  },
  lasts: (who) =>
    `يستمر ذلك حتى إنهائه: اطلب من ${who} فصل صندوق البريد، أو غيّر كلمة المرور أو أزل الوصول لدى مزوّد البريد.`,
  operated: (operator) => `تشغّل ${operator} خدمة البريد هذه.`,
  no: "لا، العودة",
  whichMailbox: "أي صندوق بريد تريد ربطه؟",
  email: "عنوان البريد الإلكتروني",
  next: "متابعة",
  password: "كلمة المرور",
  connect: "ربط",
  continueWith: (provider) => `المتابعة باستخدام ${provider}`,
  signsInAt: (hosts) => `تُرسل كلمة المرور إلى ${hosts} وتُحفظ مشفّرة.`,
  appPassword: (provider) =>
    `لا يقبل ${provider} كلمة مرورك المعتادة هنا. أنشئ كلمة مرور تطبيق (app password) لدى ${provider} وأدخلها.`,
  howTo: "كيفية إنشاء كلمة مرور تطبيق",
  malformed: "هذا ليس عنوان بريد إلكتروني. تحقق منه، مثل name@example.com.",
  noServer: (domain) => `لم يُعثر على خادم بريد للنطاق ${domain}. تحقق من العنوان.`,
  refused: "لم يقبل خادم البريد ذلك. تحقق من كلمة المرور؛ وإذا طلب مزوّدك كلمة مرور تطبيق فأدخل واحدة.",
  again: "إعادة المحاولة",
  back: "العودة",
};

const TEXTS: Readonly<Record<PageLanguage, ConnectTexts>> = { en: EN, de: DE, fr: FR, ar: AR };

/** Returns the texts in a language. */
export const connectTexts = (lang: PageLanguage): ConnectTexts => TEXTS[lang];
