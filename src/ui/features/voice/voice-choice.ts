import { api } from "../../lib/api.ts";
import { isRecord, textField } from "../../lib/live/live-state.ts";
import { session } from "../../lib/session.svelte.ts";

/** What a person has chosen; empty texts stand for what the administrator set. */
export interface VoiceChoice {
  stt: string;
  tts: string;
  voice: string;
  /** 0.5 to 2. */
  speed: number;
}

const address = "/api/v1/users/user/settings";
let kept: Promise<VoiceChoice> | undefined;

/** The person's choice, loaded once. */
export function loadVoiceChoice(): Promise<VoiceChoice> {
  kept ??= load().catch((cause: unknown) => {
    kept = undefined;
    throw cause;
  });
  return kept;
}

async function load(): Promise<VoiceChoice> {
  const own = await api<unknown>("GET", address);
  const stored = isRecord(own) && isRecord(own["audio"]) ? own["audio"] : {};
  const { speed } = stored;
  return {
    stt: textField(stored, "stt"),
    tts: textField(stored, "tts"),
    voice: textField(stored, "voice"),
    speed: typeof speed === "number" && speed >= 0.5 && speed <= 2 ? speed : 1,
  };
}

export async function storeVoiceChoice(choice: VoiceChoice): Promise<void> {
  await api("POST", `${address}/update`, { body: { audio: choice } });
  kept = Promise.resolve(choice);
}

/** Who does it: the person's choice where the administrator leaves one; a model only where there is one. */
export function engineOf(kind: "stt" | "tts", chosen: string): "web" | "openai" {
  const offered = session.config.audio?.[kind].engine;
  return offered === "openai" && chosen !== "web" ? "openai" : "web";
}

/** Whether the person may use it at all. */
export function mayUseVoice(kind: "stt" | "tts"): boolean {
  const offered = session.config.audio?.[kind].engine;
  return offered !== undefined && offered !== "off" && session.may("chat", kind);
}
