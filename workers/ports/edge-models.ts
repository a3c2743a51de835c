import { isRecord } from "../../src/lib/json.ts";
import type { EdgeModels } from "../../src/ports.ts";

/** What the platform's binding for models does, as far as it is needed here. */
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
