import { ApiProblem } from "@postern/client/browser";
import { api } from "../../api/client.ts";
import type { Draft, DraftRecord } from "./draft.ts";
import { completeFrom, draftOf, payloadOf, placeOf, haveSameContents, wordsOf } from "./draft-record.ts";
import { createdBefore } from "./created-before.ts";
import { dropDraft, keepDraft, tabId } from "../../kept/kept-drafts.ts";
import type { KeptDraft } from "./kept-draft.ts";
import type { Opening, SaverState } from "./saver-state.ts";

const QUIET_MILLIS = 3_000;
/** The pause between saves. Each save stores the whole message on the mail server, so there are at most 4 a minute, or one if the draft has files. */
const APART_MILLIS = 15_000;
const APART_WITH_FILES_MILLIS = 60_000;
const RETRY_MILLIS = [2_000, 5_000, 15_000, 60_000];

type Changes = Partial<Draft> | ((draft: Draft) => Partial<Draft>);

/**
 * Saves a draft on the service while the user writes, some seconds after the last key. The browser keeps each change
 * until the service has it. A version that was saved elsewhere is never replaced without asking the user.
 */
export class DraftSaver {
  readonly account: string;
  #state: SaverState;
  #saved: string;
  /** The contents of an unanswered request to create the draft. The service may have stored it. */
  #tried: string | null;
  /** The contents that were last passed to the outbox. */
  #offered: string | null = null;
  /** The id under which the browser keeps the draft. */
  readonly copy: string;
  readonly #about: string;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  #lastSave = Number.NEGATIVE_INFINITY;
  #failures = 0;
  readonly #listeners = new Set<() => void>();

  constructor(account: string, { about, draft, stored, kept }: Opening) {
    this.account = account;
    this.#about = about;
    this.copy = kept?.copy ?? crypto.randomUUID();
    this.#saved = kept === null ? contentsOf(draft) : "";
    this.#state = { draft, stored, save: { is: kept === null ? "unchanged" : "unsaved" }, isKept: true };
    this.#tried = kept?.tried ?? null;
  }

  /** Saves the changes kept by the browser. */
  readonly start = (): void => {
    if (this.isDirty && this.#state.save.is === "unsaved") this.#schedule(0);
  };

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly state = (): SaverState => this.#state;

  get isDirty(): boolean {
    return contentsOf(this.#state.draft) !== this.#saved;
  }

  readonly change = (changes: Changes): void => {
    const before = this.#state.draft;
    const draft = { ...before, ...(typeof changes === "function" ? changes(before) : changes) };
    this.#become({ draft });
    if (!this.isDirty) return;
    this.#keep();
    const { save } = this.#state;
    if (save.is === "changed" || save.is === "gone") return;
    if (save.is !== "saving") this.#become({ save: { is: "unsaved" } });
    this.#schedule(Math.max(QUIET_MILLIS, this.#lastSave + apartMillis(draft) - Date.now()));
  };

  /** Saves the changes now; resolves with whether the service has them. */
  readonly flush = (): Promise<boolean> => this.#inTurn(() => this.#save());

  /**
   * Stores the draft and the time to send it, if the service does not have them yet, and passes the draft to the
   * outbox.
   */
  readonly send = (sendAt: string | null) =>
    this.#inTurn(async () => {
      clearTimeout(this.#timer);
      const { stored, draft } = this.#state;
      // After a lost answer the outbox may have the draft. A repeated request for the same version sends nothing twice.
      const isRepeat = this.#offered === contentsOf(draft);
      if (!isRepeat && (stored === null || this.isDirty || stored.sendAt !== sendAt)) await this.#storeOrTell(sendAt);
      const { id } = this.#state.stored!;
      this.#offered = contentsOf(this.#state.draft);
      try {
        const answer = await api("POST /api/drafts/:id/send", { params: { id } });
        this.abandon(false);
        return { ...answer, draftId: id };
      } catch (error) {
        if (isDecided(error)) this.#offered = null;
        throw error;
      }
    });

  /** Resolves a conflict: replaces the version that was saved elsewhere, or stores this version as a separate draft. */
  readonly resolve = (choice: "replace" | "keepBoth"): Promise<boolean> => {
    const { save } = this.#state;
    const stored = choice === "replace" && save.is === "changed" ? placeOf(save.theirs) : null;
    this.#become({ stored, save: { is: "unsaved" } });
    this.#saved = "";
    return this.flush();
  };

  /** Ends without saving. With `keeps`, the browser keeps the changes. */
  readonly abandon = (keeps: boolean): void => {
    clearTimeout(this.#timer);
    if (keeps) this.#keep();
    else dropDraft(this.account, this.copy);
    this.#saved = contentsOf(this.#state.draft);
  };

  /** Runs operations one after the other, because two saves at once would conflict. */
  #inTurn<A>(act: () => Promise<A>): Promise<A> {
    const result = this.#queue.then(act);
    this.#queue = result.catch(() => {});
    return result;
  }

  #schedule(millis: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.flush(), millis);
  }

  async #save(): Promise<boolean> {
    clearTimeout(this.#timer);
    const { is } = this.#state.save;
    if (is === "changed" || is === "gone") return false;
    if (!this.isDirty) return true;
    return this.#storeOrTell(null).then(
      () => !this.isDirty,
      () => false,
    );
  }

  async #storeOrTell(sendAt: string | null): Promise<void> {
    try {
      await this.#store(sendAt);
    } catch (error) {
      this.#failed(error);
      throw error;
    }
  }

  async #store(sendAt: string | null): Promise<void> {
    const { draft, stored } = this.#state;
    this.#become({ save: { is: "saving" } });
    this.#lastSave = Date.now();
    let saved = draft;
    const payload = payloadOf(draft, sendAt);
    try {
      if (stored === null) {
        const data = await this.#create(draft, payload);
        saved = completeFrom(data, draft);
        this.#become({ draft: completeFrom(data, this.#state.draft), stored: placeOf(data) });
      } else {
        const { id, version } = stored;
        const request = { params: { id }, headers: { "if-match": version }, payload };
        this.#become({ stored: placeOf((await api("PUT /api/drafts/:id", request)).data) });
      }
    } catch (error) {
      const isChanged = stored !== null && isCode(error, "draft_changed");
      if (!isChanged || !(await this.#wasSaved(stored.id, draft))) throw error;
    }
    this.#failures = 0;
    this.#saved = contentsOf(saved);
    this.#become({ isKept: true });
    if (this.isDirty) {
      this.#keep();
      this.#become({ save: { is: "unsaved" } });
      this.#schedule(apartMillis(this.#state.draft));
    } else {
      dropDraft(this.account, this.copy);
      this.#become({ save: { is: "saved" } });
    }
  }

  /** Creates the draft, unless an earlier request with a lost answer has created it. */
  async #create(draft: Draft, payload: ReturnType<typeof payloadOf>): Promise<DraftRecord> {
    const found = this.#tried === null ? null : await createdBefore(this.#tried);
    this.#tried = wordsOf(draft);
    this.#keep();
    if (found !== null) {
      const request = { params: { id: found.id }, headers: { "if-match": found.version }, payload };
      return (await api("PUT /api/drafts/:id", request)).data;
    }
    const { data } = await api("POST /api/drafts", { payload }).catch((error: unknown) => {
      if (isDecided(error)) this.#tried = null;
      throw error;
    });
    this.#tried = null;
    return data;
  }

  /** Returns whether the service already has these contents, because the answer to a save was lost. */
  async #wasSaved(id: string, draft: Draft): Promise<boolean> {
    const { data } = await api("GET /api/drafts/:id", { params: { id } });
    if (data.state === "draft" && haveSameContents(draftOf(data), draft)) {
      this.#become({ stored: placeOf(data) });
      return true;
    }
    this.#become({ save: data.state === "draft" ? { is: "changed", theirs: data } : { is: "gone" } });
    return false;
  }

  #failed(error: unknown): void {
    if (this.#state.save.is === "changed" || this.#state.save.is === "gone") return;
    if (this.#state.stored !== null && isCode(error, "draft_not_found")) return this.#become({ save: { is: "gone" } });
    const willRetry =
      error instanceof ApiProblem && (error.status === 0 || error.status === 429 || error.status >= 500);
    this.#become({ save: { is: "failed", error, willRetry } });
    if (willRetry) this.#schedule(RETRY_MILLIS[Math.min(this.#failures++, RETRY_MILLIS.length - 1)]!);
  }

  #keep(): void {
    const { stored, draft } = this.#state;
    const kept: KeptDraft = {
      copy: this.copy,
      tab: tabId(),
      about: this.#about,
      stored,
      tried: this.#tried,
      draft,
      keptAt: Date.now(),
    };
    this.#become({ isKept: keepDraft(this.account, kept) });
  }

  #become(part: Partial<SaverState>): void {
    this.#state = { ...this.#state, ...part };
    for (const listener of this.#listeners) listener();
  }
}

const contentsOf = (draft: Draft): string => JSON.stringify(payloadOf(draft));

const apartMillis = ({ files }: Draft): number => (files.length === 0 ? APART_MILLIS : APART_WITH_FILES_MILLIS);

const isCode = (error: unknown, code: string): boolean => error instanceof ApiProblem && error.code === code;

/** Returns whether a refusal proves that the draft was not passed to the outbox. */
const isDecided = (error: unknown): boolean => error instanceof ApiProblem && error.status >= 400 && error.status < 500;
