import type { PageLanguage } from "../wire/accepted-language.ts";

/** The names of the failures of a connection or a sign-in. */
export type FailureName =
  | "expired"
  | "otherUser"
  | "refused"
  | "mailServerFault"
  | "providerFault"
  | "tooManyTries"
  | "noAddress"
  | "callbackRejected"
  | "consentDenied"
  | "grantRefused"
  | "otherDomain"
  | "appMisconfigured"
  | "appMissing"
  | "appUnknown"
  | "httpsMissing"
  | "unavailable"
  | "outsideReach"
  | "beingRemoved";

type Told = Readonly<Record<FailureName, readonly [title: string, text: string]>>;

const EN: Told = {
  expired: [
    "This link can no longer be used",
    "It works once, within ten minutes, and only in the browser in which it was opened. Go back to where you came from and ask for a new one.",
  ],
  otherUser: [
    "The mailbox did not open for this user",
    "You consented as another user than the one whose mailbox this is, or the mailbox may not be used in this way. Sign out at the provider, or choose the other user there, and try again.",
  ],
  refused: [
    "The sign-in was refused",
    "Check the address and the password, or the user that you chose at the provider. Without an account here, ask the operator for one.",
  ],
  mailServerFault: ["The mail server did not answer as it should", "Nothing was changed. Try again in a few minutes."],
  providerFault: ["The provider did not answer as it should", "Nothing was changed. Try again in a few minutes."],
  tooManyTries: ["Too many tries", "Wait a few minutes, then try again."],
  noAddress: ["This is no e-mail address", "Check the address, and try again."],
  callbackRejected: [
    "The answer of the provider cannot be used",
    "It does not belong to what this browser asked for, so nothing was changed. Start again.",
  ],
  consentDenied: ["You did not give your consent", "Nothing was changed. You can start again at any time."],
  grantRefused: ["The provider gave no access", "It refused the consent, or its answer was used before. Start again."],
  otherDomain: [
    "This address cannot be connected here",
    "The provider that was chosen is not for the domain of the address. Check the address.",
  ],
  appMisconfigured: [
    "The provider does not accept this service",
    "Its operator has to correct the registration at the provider. The log of the service says why.",
  ],
  appMissing: [
    "This provider takes no passwords",
    "It wants your consent, for which this service is not registered there. Use another address, or ask the operator of this service.",
  ],
  appUnknown: [
    "This way to sign in does not exist any more",
    "The operator of this service has removed it. Go back, and choose another way.",
  ],
  httpsMissing: [
    "Open this page over https",
    "Without it others on the network could read the sign-in. Start again at the https address of this service.",
  ],
  unavailable: ["The service is not available", "Nothing was changed. Try again in a few minutes."],
  outsideReach: [
    "This address cannot be connected here",
    "The application that sent you may not use it. Check the address.",
  ],
  beingRemoved: ["The account is being removed", "Its data is still being erased. Try again in a minute."],
};

const DE: Told = {
  expired: [
    "Dieser Link kann nicht mehr verwendet werden",
    "Er funktioniert einmal, innerhalb von zehn Minuten, und nur in dem Browser, in dem er geöffnet wurde. Gehen Sie dorthin zurück, woher Sie kamen, und bitten Sie um einen neuen.",
  ],
  otherUser: [
    "Das Postfach öffnete sich für diesen Benutzer nicht",
    "Sie haben als ein anderer Benutzer zugestimmt als der, dem dieses Postfach gehört, oder das Postfach darf so nicht genutzt werden. Melden Sie sich beim Anbieter ab, oder wählen Sie dort den anderen Benutzer, und versuchen Sie es erneut.",
  ],
  refused: [
    "Die Anmeldung wurde abgelehnt",
    "Prüfen Sie die Adresse und das Passwort, oder den Benutzer, den Sie beim Anbieter gewählt haben. Wenn Sie hier kein Konto haben, bitten Sie den Betreiber um eines.",
  ],
  mailServerFault: [
    "Der Mailserver hat nicht geantwortet, wie er sollte",
    "Es wurde nichts geändert. Versuchen Sie es in ein paar Minuten erneut.",
  ],
  providerFault: [
    "Der Anbieter hat nicht geantwortet, wie er sollte",
    "Es wurde nichts geändert. Versuchen Sie es in ein paar Minuten erneut.",
  ],
  tooManyTries: ["Zu viele Versuche", "Warten Sie ein paar Minuten, und versuchen Sie es dann erneut."],
  noAddress: ["Das ist keine E-Mail-Adresse", "Prüfen Sie die Adresse, und versuchen Sie es erneut."],
  callbackRejected: [
    "Die Antwort des Anbieters kann nicht verwendet werden",
    "Sie gehört nicht zu dem, worum dieser Browser gebeten hat, daher wurde nichts geändert. Beginnen Sie von vorn.",
  ],
  consentDenied: ["Sie haben nicht zugestimmt", "Es wurde nichts geändert. Sie können jederzeit von vorn beginnen."],
  grantRefused: [
    "Der Anbieter hat keinen Zugriff gegeben",
    "Er hat die Zustimmung abgelehnt, oder seine Antwort wurde schon verwendet. Beginnen Sie von vorn.",
  ],
  otherDomain: [
    "Diese Adresse kann hier nicht verbunden werden",
    "Der gewählte Anbieter ist nicht für die Domain der Adresse. Prüfen Sie die Adresse.",
  ],
  appMisconfigured: [
    "Der Anbieter akzeptiert diesen Dienst nicht",
    "Sein Betreiber muss die Registrierung beim Anbieter korrigieren. Das Protokoll des Dienstes sagt, warum.",
  ],
  appMissing: [
    "Dieser Anbieter nimmt keine Passwörter an",
    "Er möchte Ihre Zustimmung, wofür dieser Dienst dort nicht registriert ist. Verwenden Sie eine andere Adresse, oder fragen Sie den Betreiber dieses Dienstes.",
  ],
  appUnknown: [
    "Diese Anmeldemöglichkeit gibt es nicht mehr",
    "Der Betreiber dieses Dienstes hat sie entfernt. Gehen Sie zurück, und wählen Sie eine andere.",
  ],
  httpsMissing: [
    "Öffnen Sie diese Seite über https",
    "Sonst könnten andere im Netz die Anmeldung mitlesen. Beginnen Sie an der https-Adresse dieses Dienstes von vorn.",
  ],
  unavailable: [
    "Der Dienst ist nicht verfügbar",
    "Es wurde nichts geändert. Versuchen Sie es in ein paar Minuten erneut.",
  ],
  outsideReach: [
    "Diese Adresse kann hier nicht verbunden werden",
    "Die Anwendung, von der Sie kommen, darf sie nicht nutzen. Prüfen Sie die Adresse.",
  ],
  beingRemoved: [
    "Das Konto wird gerade entfernt",
    "Seine Daten werden noch gelöscht. Versuchen Sie es in einer Minute erneut.",
  ],
};

const FR: Told = {
  expired: [
    "Ce lien ne peut plus être utilisé",
    "Il fonctionne une fois, pendant dix minutes, et seulement dans le navigateur où il a été ouvert. Revenez d’où vous venez et demandez-en un autre.",
  ],
  otherUser: [
    "La boîte aux lettres ne s’est pas ouverte pour cet utilisateur",
    "Vous avez consenti en tant qu’un autre utilisateur que celui de cette boîte, ou elle ne peut pas être utilisée ainsi. Déconnectez-vous chez le fournisseur, ou choisissez-y l’autre utilisateur, et réessayez.",
  ],
  refused: [
    "La connexion a été refusée",
    "Vérifiez l’adresse et le mot de passe, ou l’utilisateur choisi chez le fournisseur. Si vous n’avez pas de compte ici, demandez-en un à l’opérateur.",
  ],
  mailServerFault: [
    "Le serveur de messagerie n’a pas répondu comme il le devrait",
    "Rien n’a été modifié. Réessayez dans quelques minutes.",
  ],
  providerFault: [
    "Le fournisseur n’a pas répondu comme il le devrait",
    "Rien n’a été modifié. Réessayez dans quelques minutes.",
  ],
  tooManyTries: ["Trop de tentatives", "Attendez quelques minutes, puis réessayez."],
  noAddress: ["Ce n’est pas une adresse e-mail", "Vérifiez l’adresse et réessayez."],
  callbackRejected: [
    "La réponse du fournisseur ne peut pas être utilisée",
    "Elle ne correspond pas à ce que ce navigateur a demandé : rien n’a donc été modifié. Recommencez.",
  ],
  consentDenied: [
    "Vous n’avez pas donné votre consentement",
    "Rien n’a été modifié. Vous pouvez recommencer à tout moment.",
  ],
  grantRefused: [
    "Le fournisseur n’a pas donné l’accès",
    "Il a refusé le consentement, ou sa réponse a déjà été utilisée. Recommencez.",
  ],
  otherDomain: [
    "Cette adresse ne peut pas être connectée ici",
    "Le fournisseur choisi ne gère pas le domaine de l’adresse. Vérifiez l’adresse.",
  ],
  appMisconfigured: [
    "Le fournisseur n’accepte pas ce service",
    "Son opérateur doit corriger l’enregistrement chez le fournisseur. Le journal du service dit pourquoi.",
  ],
  appMissing: [
    "Ce fournisseur n’accepte pas de mot de passe",
    "Il demande votre consentement, pour lequel ce service n’y est pas enregistré. Utilisez une autre adresse, ou adressez-vous à l’opérateur de ce service.",
  ],
  appUnknown: [
    "Ce moyen de connexion n’existe plus",
    "L’opérateur de ce service l’a retiré. Revenez en arrière et choisissez-en un autre.",
  ],
  httpsMissing: [
    "Ouvrez cette page en https",
    "Sinon, d’autres sur le réseau pourraient lire la connexion. Recommencez à l’adresse https de ce service.",
  ],
  unavailable: ["Le service n’est pas disponible", "Rien n’a été modifié. Réessayez dans quelques minutes."],
  outsideReach: [
    "Cette adresse ne peut pas être connectée ici",
    "L’application qui vous a envoyé ne peut pas l’utiliser. Vérifiez l’adresse.",
  ],
  beingRemoved: [
    "Le compte est en cours de suppression",
    "Ses données sont encore en cours d’effacement. Réessayez dans une minute.",
  ],
};

const AR: Told = {
  expired: [
    "لم يعد من الممكن استخدام هذا الرابط",
    "يعمل مرة واحدة خلال عشر دقائق، وفي المتصفح الذي فُتح فيه فقط. عد من حيث أتيت واطلب رابطًا جديدًا.",
  ],
  otherUser: [
    "لم يُفتح صندوق البريد لهذا المستخدم",
    "وافقت باسم مستخدم غير صاحب صندوق البريد هذا، أو لا يجوز استخدامه بهذه الطريقة. سجِّل الخروج لدى المزوّد، أو اختر المستخدم الآخر هناك، وحاول مرة أخرى.",
  ],
  refused: [
    "رُفض تسجيل الدخول",
    "تحقق من العنوان وكلمة المرور، أو من المستخدم الذي اخترته لدى المزوّد. إن لم يكن لك حساب هنا، فاطلب واحدًا من المشغّل.",
  ],
  mailServerFault: ["لم يرد خادم البريد كما ينبغي", "لم يتغيّر شيء. حاول مرة أخرى بعد بضع دقائق."],
  providerFault: ["لم يرد المزوّد كما ينبغي", "لم يتغيّر شيء. حاول مرة أخرى بعد بضع دقائق."],
  tooManyTries: ["محاولات كثيرة جدًا", "انتظر بضع دقائق، ثم حاول مرة أخرى."],
  noAddress: ["هذا ليس عنوان بريد إلكتروني", "تحقق من العنوان، وحاول مرة أخرى."],
  callbackRejected: ["لا يمكن استخدام رد المزوّد", "لا يخص ما طلبه هذا المتصفح، لذا لم يتغيّر شيء. ابدأ من جديد."],
  consentDenied: ["لم تمنح موافقتك", "لم يتغيّر شيء. يمكنك البدء من جديد في أي وقت."],
  grantRefused: ["لم يمنح المزوّد الوصول", "رفض الموافقة، أو استُخدم رده من قبل. ابدأ من جديد."],
  otherDomain: ["لا يمكن ربط هذا العنوان هنا", "المزوّد المختار ليس لنطاق العنوان. تحقق من العنوان."],
  appMisconfigured: ["لا يقبل المزوّد هذه الخدمة", "يجب على مشغّلها تصحيح التسجيل لدى المزوّد. يوضح سجل الخدمة السبب."],
  appMissing: [
    "لا يقبل هذا المزوّد كلمات المرور",
    "يطلب موافقتك، وهذه الخدمة غير مسجّلة لديه لذلك. استخدم عنوانًا آخر، أو اسأل مشغّل هذه الخدمة.",
  ],
  appUnknown: ["لم تعد طريقة تسجيل الدخول هذه موجودة", "أزالها مشغّل هذه الخدمة. عد واختر طريقة أخرى."],
  httpsMissing: [
    "افتح هذه الصفحة عبر https",
    "بدونه قد يقرأ آخرون على الشبكة بيانات تسجيل الدخول. ابدأ من جديد من عنوان https لهذه الخدمة.",
  ],
  unavailable: ["الخدمة غير متاحة", "لم يتغيّر شيء. حاول مرة أخرى بعد بضع دقائق."],
  outsideReach: ["لا يمكن ربط هذا العنوان هنا", "لا يحق للتطبيق الذي أرسلك استخدامه. تحقق من العنوان."],
  beingRemoved: ["تجري إزالة الحساب الآن", "لا تزال بياناته قيد المسح. حاول مرة أخرى بعد دقيقة."],
};

/** The failures in the words for the user. */
export const FAILURE_TEXTS: Readonly<Record<PageLanguage, Told>> = { en: EN, de: DE, fr: FR, ar: AR };
