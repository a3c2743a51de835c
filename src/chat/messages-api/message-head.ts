/** The first fields of every answer; the id has the form that clients of the dialect expect. */
export function messageHead(model: string, newId: () => string): Record<string, unknown> {
  return { id: dialectId("msg", newId), type: "message", role: "assistant", model };
}

/** An id such as `msg_0198c2...`: the dialect's SDKs and providers take letters, digits, `_` and `-`. */
export function dialectId(prefix: "msg" | "toolu", newId: () => string): string {
  return `${prefix}_${newId().replaceAll("-", "")}`;
}
