interface Spec {
  name: string;
  parameters: Record<string, unknown>;
}

const body = {
  model: "example",
  messages: [{ role: "user", content: "Hello" }],
};
const chunk = { choices: [{ index: 0, delta: { content: "Hello" }, finish_reason: null }] };

/** Arguments to start from when a function is tried. */
export function sampleArguments(method: string, specs: readonly Spec[]): Record<string, unknown> {
  const spec = specs.find(({ name }) => name === method);
  if (spec) {
    const properties = (spec.parameters["properties"] ?? {}) as Record<string, Record<string, unknown>>;
    return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, sampleOf(schema)]));
  }
  if (method === "stream") return { event: chunk };
  if (method === "pipes") return {};
  if (method === "outlet" || method === "action")
    return { body: { ...body, messages: [...body.messages, { role: "assistant", content: "Hello to you" }] } };
  return { body };
}

function sampleOf(schema: Record<string, unknown>): unknown {
  if ("default" in schema) return schema["default"];
  if (Array.isArray(schema["enum"])) return schema["enum"][0];
  const { type } = schema;
  if (type === "number" || type === "integer") return 1;
  if (type === "boolean") return true;
  if (type === "array") return [];
  if (type === "object") return {};
  return type === "null" ? null : "";
}
