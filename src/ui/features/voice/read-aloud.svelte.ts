import { explainError } from "../../components/explain-error.ts";
import { ApiError } from "../../lib/api-error.ts";
import { apiResponse } from "../../lib/api.ts";
import { toasts } from "../../lib/toasts.svelte.ts";
import { sentencesIn, spokenText } from "./split-speech.ts";
import { texts } from "./texts.ts";
import { engineOf, loadVoiceChoice, type VoiceChoice } from "./voice-choice.ts";

/** What is read, as it is now: an answer that is being written goes on. */
export interface Readable {
  text: () => string;
  isWhole: () => boolean;
}

/** Milliseconds between two looks at an answer that is being written. */
const lookEvery = 250;

/** The browser reads with the voices of its system, and some have none. */
class NoVoice extends Error {}

/** Reads one thing at a time aloud, sentence by sentence. */
class ReadAloud {
  /** What is being read; undefined while it is quiet. */
  current = $state<string>();
  #stop = new AbortController();

  async start(id: string, readable: Readable): Promise<void> {
    this.stop();
    const stop = new AbortController();
    this.#stop = stop;
    this.current = id;
    try {
      const choice = await loadVoiceChoice();
      await this.#read(readable, choice, stop.signal);
    } catch (cause) {
      const why = cause instanceof NoVoice ? texts.noVoice : cause instanceof ApiError ? explainError(cause) : "";
      if (!stop.signal.aborted) toasts.show([texts.readFailed, why].filter(Boolean).join(". "), { kind: "danger" });
    }
    if (this.#stop === stop) this.current = undefined;
  }

  stop(): void {
    this.#stop.abort();
    this.current = undefined;
    globalThis.speechSynthesis?.cancel();
  }

  async #read({ text, isWhole }: Readable, choice: VoiceChoice, signal: AbortSignal): Promise<void> {
    const isHere = engineOf("tts", choice.tts) === "openai";
    /** The sound of a sentence is fetched while the one before it is read. */
    let ahead: { sentence: string; sound: Promise<Blob> } | undefined;
    for (let at = 0; !signal.aborted;) {
      const whole = isWhole();
      const sentences = sentencesIn(spokenText(text(), "Code"), whole);
      const sentence = sentences[at];
      if (sentence === undefined) {
        if (whole) return;
        await new Promise((resolve) => setTimeout(resolve, lookEvery));
        continue;
      }
      at += 1;
      if (!isHere) {
        await speakInBrowser(sentence, choice, signal);
        continue;
      }
      const sound = ahead?.sentence === sentence ? ahead.sound : fetchSound(sentence, choice, signal);
      const next = sentences[at];
      ahead = next === undefined ? undefined : { sentence: next, sound: fetchSound(next, choice, signal) };
      ahead?.sound.catch(() => undefined);
      await play(await sound, signal);
    }
  }
}

async function fetchSound(input: string, { voice, speed }: VoiceChoice, signal: AbortSignal): Promise<Blob> {
  const body = { input, speed, ...(voice === "" ? {} : { voice }) };
  const response = await apiResponse("POST", "/api/v1/audio/speech", { body, signal, timeout: 60_000 });
  return response.blob();
}

function play(sound: Blob, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const address = URL.createObjectURL(sound);
    const audio = new Audio(address);
    const end = (failure?: unknown): void => {
      audio.pause();
      URL.revokeObjectURL(address);
      if (failure === undefined) resolve();
      else reject(failure as Error);
    };
    audio.addEventListener("ended", () => end());
    audio.addEventListener("error", () => end(new Error("The sound cannot be played")));
    signal.addEventListener("abort", () => end(), { once: true });
    audio.play().catch(end);
  });
}

function speakInBrowser(text: string, { voice, speed }: VoiceChoice, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const synthesis = globalThis.speechSynthesis;
    if (!synthesis) return reject(new NoVoice());
    const utterance = new SpeechSynthesisUtterance(text);
    const chosen = synthesis.getVoices().find(({ name }) => name === voice);
    if (chosen) utterance.voice = chosen;
    utterance.rate = speed;
    utterance.addEventListener("end", () => resolve());
    utterance.addEventListener("error", ({ error }) =>
      error === "canceled" || error === "interrupted"
        ? resolve()
        : reject(synthesis.getVoices().length === 0 ? new NoVoice() : new Error(error)),
    );
    signal.addEventListener("abort", () => resolve(), { once: true });
    synthesis.speak(utterance);
  });
}

export const readAloud = new ReadAloud();
