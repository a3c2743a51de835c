import { isRecord } from "../../src/lib/json.ts";
import type { EdgeModels } from "../../src/ports.ts";

/** The part of the platform's model binding that is used here. */
export interface AiBinding {
  run(model: string, inputs: { text: string[] }): Promise<unknown>;
}

export function createEdgeModels(ai: AiBinding): EdgeModels {
  return {
    async embed(model, texts) {
      const answer = await ai.run(model, { text: [...texts] });
      return isRecord(answer) ? answer["data"] : undefined;
    },
  };
}
