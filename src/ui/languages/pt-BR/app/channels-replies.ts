import type { AppTexts } from "../../app-texts.ts";
import { units } from "../format.ts";

export default {
  stopped: "Interrompida antes do fim.",
  sources: "Fontes",
  numbers: (numbers) => `[${units.format(numbers.map(String))}]`,
} satisfies AppTexts["channels/replies"];
