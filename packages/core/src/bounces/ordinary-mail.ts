import { phrases } from "./text-folding.ts";

/** Subjects of automatic replies. */
export const AUTO_REPLY_SUBJECT = phrases(
  "out[- ]of[- ](the )?office|auto(matic|mated|matisch)?[- ]?(reply|response|respon|antwort|svar|responder|message)|autoreply|autoresp|vacation|on (holiday|leave|vacation)|away (from|until|message)|i am (away|out)|\\bo\\.?o\\.?o\\b",
  "abwesenheit|abwesend|automatische antwort|nicht im (büro|haus)|im urlaub|eingangsbestätigung",
  "réponse automatique|absen(t|ce)( du)?|en congé|respuesta autom|fuera de (la )?oficina|ausen(te|cia)|vacaciones|resposta autom|fora do escritório|férias|risposta automatica|fuori (sede|ufficio)|assente|in ferie",
  "automatisch antwoord|afwezig|autosvar|automatiskt svar|automatisk svar|frånvaro|fravær|poissa|automaattinen vastaus|automatyczna odpowiedź|autoodpowiedź|nieobecno|poza biurem|automatická odpověď|mimo kancelář|automatikus válasz",
  "автоответ|автоматический ответ|в отпуске|вне офиса|отсутств|otomatik yanıt|ofis dışında|izinde|αυτόματη απάντηση",
  "自動(返信|応答)|不在(通知|のお知らせ)?|自动(回复|答复)|自動回覆|休假|不在办公室|자동 ?(응답|회신)|부재중|휴가",
);

/** Phrases of automatic replies. */
export const AUTO_REPLY_WORDS = phrases(
  "(i am|i'm|i will be|we are) .{0,40}(out of (the )?office|away|on (vacation|holiday|leave|annual|maternity|parental|sick)|travel|not in the office|unavailable|returning)|out of the office|limited access to (my )?e-?mail|on my return|when i (return|get back|am back)|(will|shall) (reply|respond|get back|answer) .{0,40}(return|soon|possible|back|within)|thank you for (your (e-?mail|message|inquiry)|contacting)|we have received your|your (message|e-?mail|request|ticket) has been received|i (no longer|am no longer|have left)|no longer (work|with the company)|automated (reply|response|acknowledg)|auto-?reply",
  "(bin|sind) .{0,40}(nicht im büro|im urlaub|abwesend|außer haus|nicht erreichbar|wieder erreichbar)|nach meiner rückkehr|vielen dank für (ihre|deine)|in dringenden fällen",
  "je suis (absent|actuellement|en congé)|à mon retour|merci (de|pour) votre (message|mail|courriel)|(estoy|estaré) .{0,30}(fuera|ausente|de vacaciones)|a mi regreso|gracias por (su|tu|contact)|(estou|estarei) .{0,30}(fora|ausente|de férias)|obrigad[oa] (por|pelo)|(sono|sarò) .{0,30}(assente|fuori|in ferie)|al mio rientro",
  "(ben|ik ben) .{0,30}(afwezig|niet aanwezig|met vakantie)|(jag är|jeg er) .{0,40}(ledig|semester|frånvarande|ferie|fraværende|bortrest)|(jestem|będę) .{0,30}(nieobecn|na urlopie|poza biurem)|(я|нахожусь) .{0,30}(в отпуске|отсутств|вне офиса)|(ofis dışında|izindeyim|yıllık izin)",
  "(休暇|不在|休み|外出)(中|を|に|の|で|です|いた)|(我|本人).{0,15}(休假|出差|不在|外出)|(휴가|부재|출장) ?중",
);

/** Phrases of challenges to unknown senders. */
export const CHALLENGE_WORDS = phrases(
  "(click|visit|follow|reply|respond|open).{0,80}(confirm|verify|authenticate|prove|human|approve|release|deliver your)|challenge[- ]?response|spam ?arrest|boxbe|tmda|verify (that )?you|confirm (that )?you|confirmation (request|required)|please confirm|(are|is) (a )?(human|real person)|whitelist|guest list|approved sender|waiting list|one[- ]time (confirm|verif)|bestätigen sie|confirmez|confirme (su|que)|подтвердите",
);

/** Phrases of quarantine notices and digests. */
export const DIGEST_WORDS = phrases(
  "quota (warning|notification|alert)|mailbox (size |quota |almost |nearly )(warning|full|limit)|(almost|nearly|about to be|running) (full|out of)|your (mailbox|account|inbox|quota) (is|has|will|quota|size)|quarantin|(spam|junk|message|mail|daily|held|blocked|bulk) ?-?(e-?mail )?(digest|summary)|spam (report|notification)|messages? (held|on hold|waiting|pending)|release (this|the|these|all|message)|quarantäne|quarantaine|cuarentena|quarentena|quarantena|карантин|隔離|隔离",
);

/** Phrases of mailing list software. */
export const LIST_WORDS = phrases(
  "seem to (have been|be) bouncing|messages to you from the .{0,80}(mailing )?list|excessive bounces?|(membership|subscription).{0,80}(disabled|bounc|suspended|removed)|bounce (action|disabled|probe)|bounces? from your address|mailing list probe|ezmlm (warning|probe)|list(serv)? (error|delivery) monitoring|your (subscription|membership) to",
);

/** Subject prefixes of replies and forwards. */
export const REPLY_PREFIX =
  /^\s{0,5}(?:re|fwd?|fw|aw|wg|tr|rv|enc|res|antw|doorst|sv|vs|vb|vl|i|r|odp|pd|ynt|ilt|отв|回复|回覆|转发|轉寄|転送|답장|전달)(?:\[\d{1,3}\])?\s{0,3}[:：]/iu;
