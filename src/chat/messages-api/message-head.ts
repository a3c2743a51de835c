/** What every answer begins with; the id is made here, as clients know the form of the dialect's own. */
export function messageHead(model: string, newId: () => string): Record<string, unknown> {
  return { id: dialectId("msg", newId), type: "message", role: "assistant", model };
}

/** An id such as `msg_0198c2...`: the dialect's SDKs and providers take letters, digits, `_` and `-`. */
export function dialectId(prefix: "msg" | "toolu", newId: () => string): string {
  return `${prefix}_${newId().replaceAll("-", "")}`;
}
