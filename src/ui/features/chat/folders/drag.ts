/** What is dragged from the rail: a chat or a folder. */
export interface Dragged {
  kind: "chat" | "folder";
  id: string;
}

const types = { chat: "application/x-parley-chat", folder: "application/x-parley-folder" } as const;

export function startDrag(event: DragEvent, { kind, id }: Dragged): void {
  if (!event.dataTransfer) return;
  event.dataTransfer.setData(types[kind], id);
  event.dataTransfer.effectAllowed = "move";
}

/** Whether something from the rail is held over a place; browsers tell what only when it is dropped. */
export function holdsDragged(event: DragEvent): boolean {
  return Object.values(types).some((type) => event.dataTransfer?.types.includes(type) === true);
}

export function readDragged(event: DragEvent): Dragged | undefined {
  for (const kind of ["chat", "folder"] as const) {
    const id = event.dataTransfer?.getData(types[kind]);
    if (id) return { kind, id };
  }
  return undefined;
}
