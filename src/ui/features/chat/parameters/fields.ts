import { texts } from "../texts.ts";

const words = texts.parameters;

/** A parameter of a chat that is a number. */
export interface NumberField {
  name: string;
  label: string;
  hint: string;
  isWhole?: boolean;
  least?: number;
  most?: number;
}

export const numberFields: readonly NumberField[] = [
  { name: "temperature", label: words.temperature, hint: words.temperatureHint, least: 0, most: 2 },
  { name: "top_p", label: words.topP, hint: words.topPHint, least: 0, most: 1 },
  { name: "max_tokens", label: words.maxTokens, hint: words.maxTokensHint, isWhole: true, least: 1 },
  { name: "seed", label: words.seed, hint: words.seedHint, isWhole: true },
  { name: "frequency_penalty", label: words.frequency, hint: words.penaltyHint, least: -2, most: 2 },
  { name: "presence_penalty", label: words.presence, hint: words.penaltyHint, least: -2, most: 2 },
];

/** How hard a model may think, as providers name it. */
export const efforts = ["none", "minimal", "low", "medium", "high"] as const;

/** Every parameter that the panel shows. */
export const shownParams: readonly string[] = [
  "system",
  "personal_instructions",
  "stop",
  "reasoning_effort",
  ...numberFields.map(({ name }) => name),
];

/** What was typed as a number, an empty text as undefined; or what is wrong with it. */
export function readNumber(text: string, field: NumberField): { value: number | undefined } | { problem: string } {
  if (text.trim() === "") return { value: undefined };
  const value = Number(text.trim().replace(",", "."));
  const { isWhole, least, most } = field;
  if (!Number.isFinite(value)) return { problem: words.notNumber };
  if (isWhole && !Number.isSafeInteger(value)) return { problem: words.notWhole };
  const isWithin = value >= (least ?? -Infinity) && value <= (most ?? Infinity);
  if (isWithin) return { value };
  return {
    problem: least !== undefined && most !== undefined ? words.between(least, most) : words.atLeast(least ?? 0),
  };
}

/** Texts with commas, as they are typed, into a list; undefined where there is none. */
export function readStops(text: string): string[] | undefined {
  const stops = text
    .split(",")
    .map((stop) => stop.trim())
    .filter((stop) => stop !== "");
  return stops.length > 0 ? stops : undefined;
}

/** A stored list, or the text that clients of Open WebUI keep, as it is typed. */
export function showStops(value: unknown): string {
  if (typeof value === "string") return value;
  return Array.isArray(value) ? value.filter((stop) => typeof stop === "string").join(", ") : "";
}
