import { phrases } from "../text-folding.ts";

/** Subjects of bounces. */
export const BOUNCE_SUBJECT = phrases(
  "undeliver(able|ed|y)",
  "undelivrable",
  "(mail|message|e-?mail|delivery|letter).{0,30}(deliver(y|ed)?|could|was|system).{0,30}(fail|error|problem|impossible|unsuccessful|not (be )?deliver|warning)",
  "delivery (status|has failed|failure|failed|problem|error|report|notification|incomplete|unsuccessful|delayed|final)",
  "(non|un)[- ]?deliver(y|able|ed)",
  "not delivered|nondeliverable|cannot be delivered|could not be delivered|couldn't be delivered|wasn't delivered|unable to deliver|can't deliver",
  "returned (mail|message|e-?mail|to sender)|(mail|message|e-?mail) (was )?returned",
  "failure (notice|notification)|failed (delivery|mail|message)|mail (error|failure)|message (status|failure)|bounced? (mail|message)",
  "mail (system|delivery) (error|failed|failure|problem|status|warning|subsystem)|mailer-?daemon|user unknown|unknown (user|recipient)|host unknown",
  "rejected (mail|message|e-?mail)|^rejected: |(mail|message|e-?mail|recipient|address|delivery) (was |has been |is )?(rejected|refused|blocked)|delivery has been|could not send message|mail not delivered|message you sent",
  "unzustellbar|nicht zugestellt|zustellung.{0,20}(fehl|nicht|verz)|nicht zustellbar|fehler bei der zustellung|zustellungs|zurückgesendet|fehlgeschlagen",
  "non[- ]?(remis|distribu|d[eé]livr)|échec (de|lors|d')|remise.{0,20}(échou|impossible|retard)|retour(n[eé])? (à|de|au)|message non|notification d'état|état de (la )?remise|rapport de non|impossible de (remettre|distribuer)",
  "no (se )?(pudo |ha podido |se puede )?(ser )?(entreg|entregar)|no entregad|fallo (en|de)|error (de|en la|al) (entrega|envío|enviar)|devuelto|notificación (de|del) (estado|error|entrega)|imposible entregar|correo devuelto|entrega fallida",
  "não (foi )?(pôde ser )?(entreg|possível entreg)|falha (na|de|no) (entrega|envio)|devolvid|erro (na|de|ao) (entrega|envi)|notificação (de|do) (status|estado)|estado da entrega|não entregue",
  "mancata consegna|impossibile (consegnare|recapitare)|non (è stato )?(consegnat|recapitat)|errore di (consegna|recapito)|notifica (di|dello) stato|non recapitabile|messaggio respinto",
  "niet (bezorgd|afgeleverd)|onbestelbaar|bezorging.{0,20}mislukt|kan niet worden (bezorgd|afgeleverd)",
  "niedostarczon|nie (można |została |udało się )?(dostarcz|doręcz)|niedoręczon|błąd (dostarczania|doręczenia)|zwrot|zwrócon|nedoručiteln|nedoručen|kézbesíthetetlen|kézbesítés",
  "недоставлен|не ?доставлен|невозможно доставить|не удалось доставить|ошибка доставки|возврат|недоставк|не може бути доставлен",
  "teslim edilem|iletilemed|gönderilemed|teslimat (hatası|başarısız)|geri döndü|iade",
  "olevererbar|ej levererat|inte levereras|kunde inte (levereras|skickas)|leveransfel|ikke leveres|kan ikke leveres|kunne ikke leveres|uleverbar|ikke levert|toimittaminen epäonnistui|ei voitu toimittaa",
  "配信(不能|不可|エラー|失敗|できません|に失敗|状態|通知)|送信(エラー|失敗|不能|できません)|未配信|配信され(ません|なかった)|お届けできません|エラー ?メール|不達|返送",
  "退信|(传递|投递|傳遞|遞送|送达)(状态|狀態)|投递失败|退件|发送失败|無法(傳遞|投遞|寄送|送達)|未送达|无法(送达|投递|传递)|系统退信|被退回|傳送失敗|递送失败|未傳遞|未传递",
  "(전송|배달|발송|전달).{0,10}(실패|불가|오류|되지|할 수 없)|반송|배달되지",
);

/** Subjects of delays. */
export const DELAY_SUBJECT = phrases(
  "\\bdelay|\\bdeferred|warning: (message|mail|could|your|delivery)|still (being )?(retried|trying)|not yet been delivered|temporar(y|ily)|will be retried|in queue",
  "verzöger|verspätet|retard|différ|retras|demorad|atras|ritard|vertrag|opóźnion|задерж|отлож|gecik|fördröj|forsinket|forsinkelse|遅延|延迟|延遲|지연",
);

/** Phrases about a failed delivery. */
export const FAILURE_WORDS = phrases(
  "(not|n't|cannot|never|un(able|successful)|fail(ed|ure|s)?|impossible|error|problem|trouble).{0,60}(deliver|send|sent|reach|transmi|forward|relay|accept|process)",
  "(deliver|deliveries|delivering|sending|send|message|mail|recipient|address|transmission).{0,60}(fail|(not|n't) (be )?(deliver|sen[dt]|reach|possible|process|complete|accept)|unsuccessful|impossible|undeliver|reject|refus|bounced|problem|permanent|returned|discarded|abandon|cancel)",
  "undeliver|nondeliver|non-deliver|permanent (fatal )?error|fatal error|returned (to|mail|message|by|for)|delivery (error|failure)|could not be delivered|did not reach|gave up|giving up|final(ly)? fail",
  "(has|have|was|were|been) (rejected|refused|bounced|returned|blocked)|errors? occurred|user unknown|recipient unknown|invalid recipient",
  "(nicht|konnte|kann|kein|unmöglich|fehler).{0,80}(zugestellt|zustellbar|zustellen|ausgeliefert|übermittelt|zustellung|gesendet|versendet|weitergeleitet)|unzustellbar|fehlgeschlagen|(zustellung|übermittlung).{0,40}(fehl|nicht|gescheitert|unmöglich)|zurückgewiesen|abgewiesen|abgelehnt",
  "(n'a|n'ont|ne|pas|impossible|échec|erreur|échoué).{0,80}(remis|distribu|délivr|achemin|livr|envoy|transmi|parvenu|remettre|remise)|non (remis|distribu|délivr)|a échoué|rejeté|refusé",
  "(no|imposible|error|fall[oó]|problema).{0,60}(entreg|enviar|enviado|recibid|lleg[oó]|repart|envío)|entrega.{0,40}(fall|no|error|imposible)|devuelto|rechazad",
  "(não|impossível|erro|falh[ao]|problema).{0,60}(entreg|enviad|enviar|recebid|envio)|entrega.{0,40}(falh|não|erro)|devolvid|rejeitad",
  "(non|impossibile|errore|fallit|mancat).{0,60}(consegn|recapit|inviat|inviare|inoltrat)|consegna.{0,40}(fallit|non|errore|impossibile)|respint|rifiutat",
  "(niet|kan|kon|mislukt|onmogelijk).{0,60}(bezorg|afgelever|verzonden|geleverd|aflever)|onbestelbaar|bezorging.{0,30}mislukt",
  "(nie|błąd|niemożliw).{0,60}(dostarcz|doręcz|wysłan|przesłan)|niedostarczon|niedoręczon|nelze doruč|nemohl(a|o)? být doručen|nebyla? doručen|nem (sikerült|kézbesít|lehet)|kézbesíthetetlen|nu a (putut|fost)|δεν (παραδόθηκε|ήταν δυνατή)",
  "(не|невозможно|ошибка|неудач).{0,60}(доставл|доставить|доставк|отправл|отправить|передан|достав)|недоставлен|не може бути|не вдалося",
  "(teslim|ilet|gönder|ulaş).{0,30}(edilemedi|ilemedi|ilemedi|ilemez|emedi|amadı|başarısız|hata|lemedi|lmadı)|başarısız",
  "(inte|kunde inte|ikke|kan ikke|kunne ikke|ei voitu|epäonnistui).{0,60}(lever|skicka|sende|sendt|nå|toimit|perille)|misslyckades|mislykkedes|mislyktes|olevererbar|toimittaminen",
  "(配信|送信|配達|お届け|転送|届け|送達|送る|メール).{0,40}(でき|失敗|不能|エラー|されません|されなかった|不可)|エラー(に|が|と)",
  "(无法|無法|未能|不能|失败|失敗|没有).{0,20}(送达|投递|发送|传递|寄送|傳送|送達|投遞|递送|到达|傳遞)|(投递|发送|递送|傳送|投遞|寄送).{0,20}(失败|失敗|错误)|退回|退信|被退|拒收",
  "(전송|배달|발송|전달|보내).{0,20}(실패|못|불가|오류|되지|할 수 없)|반송|실패",
);

/** Phrases about a delayed delivery. */
export const DELAY_WORDS = phrases(
  "(will|shall|still|continues?|continuing|being|keep|is) (be )?.{0,20}(retr(y|ied|ying)|trying|attempt(s|ed|ing)?)|will try",
  "(this is|only) a? ?warning|warning message only|(not|n't) yet been delivered|(not|n't) been delivered yet|(not|n't) yet be delivered|(has been|is|was|been) delayed|delivery (is |has been )?(delayed|deferred)|delayed:|temporary (failure|problem)|temporarily (deferred|delayed)",
  "no action is required on your part|still (up)?on the queue|remains? (in|on) the queue|currently queued|attempts to deliver.{0,20}continue",
  "(weiter|erneut|noch).{0,40}(versuch|zuzustellen)|zustellversuche|verzögert|(wird|werden) .{0,30}(wiederholt|erneut)",
  "(nouvelles? tentatives?|continuer|réessay|retard|toujours pas)|(seguir[aá]|reintent|se intentará|retras|continuar(á|ão)|tentará|tentativas continu|atrasad)|(riprov|ulteriori tentativi|ritard|continuer)",
  "(opnieuw (geprobeerd|proberen)|vertraagd|blijven proberen)|(ponown|opóźnion|kolejne próby)|(попытки .{0,20}(продолж|будут)|задерж|будет повторен|повторн)|(tekrar den|gecik|denemeye devam)|(försöka igen|fördröj|fortsätt|forsinket|forsøke igen)",
  "(再送|再試行|再度|引き続き|遅延|遅れ)|(重试|重試|再次(尝试|投递)|延迟|延遲|继续尝试|繼續嘗試)|(재시도|다시 시도|지연)",
);

/** Phrases that occur only in delays; they outweigh phrases about a failure. */
export const WARNING_WORDS = phrases(
  "(do not|don't|no) need to (resend|re-send)|warning (message )?only|(will|shall) (be retried|(continue|keep) .{0,20}(try|retry|attempt|deliver))|delivery attempts will continue|(being|still) retried|(not|n't) yet been delivered|will retry",
);

/** Phrases of a filter's refusal in the form of a receipt (RFC 5429, 2.1). */
export const REFUSAL_WORDS = phrases(
  "(was|has been|been) (automatically )?(rejected|refused)|automatisch (abgelehnt|abgewiesen|zurückgewiesen)|automatiquement (rejeté|refusé)",
);

/** Phrases of a final failure; they outweigh `WARNING_WORDS`. */
export const END_WORDS = phrases(
  "permanent (fatal )?error|permanent failure|failed permanently|gave up|giving up|given up|stopped trying|no (further|more) (attempts|delivery)|not going to try|has been removed|has been returned|will be deleted|undeliverable",
);

/** Phrases of a notice after the last attempt; they outweigh phrases about a delay. */
export const FINAL_WORDS = phrases(
  "permanent|gave up|giving up|given up|final(ly)? |fatal|undeliverable|could not be delivered|(not|won't|no longer) (be )?(retried|retry|tried|try again|attempt)|no (more|further) (attempts|retries)|stopped trying|has failed|delivery failed|failed permanently|too long|unable to deliver|returned to you|expired|was not delivered|did not reach|cannot be delivered",
  "endgültig|aufgegeben|konnte nicht zugestellt|fehlgeschlagen|définitif|définitive|abandon|n'a pas pu|definitiv|permanente|окончательн|не удалось доставить|не может быть доставлен|definitief|ostateczn|kalıcı|配信できませんでした|最終的|永久|无法送达|영구",
);

/** Subjects of confirmations of delivery. */
export const SUCCESS_SUBJECT = phrases(
  "success|erfolgreich|\\brelayed:|^delivered:|réussi|exitos|com êxito|con successo",
);

/** Phrases about a successful delivery or relay (RFC 3464 `delivered`, `relayed`, `expanded`). */
export const SUCCESS_WORDS = phrases(
  "success(fully)?.{0,40}(deliver|relay|sent|transmi)|(deliver|relay)(ed|y)?.{0,40}success|has been delivered to|was delivered to|were delivered|is complete, but no delivery notification|erfolgreich zugestellt|zugestellt an|a été remis|correctamente entregad|entregue com|consegnato con|успешно доставлен|\\bdelivered:|\\brelayed:|正常に配信|已成功(投递|送达)",
);
