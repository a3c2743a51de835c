/** A file of the person's, and where it stood in the folder that was chosen: `handbook/tides.pdf`. */
export interface ChosenFile {
  file: File;
  /** Just the name for files that came alone. */
  path: string;
}

/** What was chosen in a file field, also one for folders. */
export function chosenFiles(list: Iterable<File>): ChosenFile[] {
  return [...list].map((file) => ({ file, path: file.webkitRelativePath || file.name })).filter(isWanted);
}

/** What was dropped, folders with all that is in them. To be called while the event is handled: later it is gone. */
export async function droppedFiles(data: DataTransfer): Promise<ChosenFile[]> {
  const entries = [...data.items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  if (entries.length === 0) return chosenFiles(data.files);
  return (await Promise.all(entries.map((entry) => filesIn(entry, "")))).flat().filter(isWanted);
}

/** Files that systems put beside those of people. */
function isWanted({ path }: ChosenFile): boolean {
  return !path.split("/").some((name) => name === "__MACOSX" || name === "Thumbs.db" || name.startsWith("."));
}

async function filesIn(entry: FileSystemEntry, above: string): Promise<ChosenFile[]> {
  const path = above + entry.name;
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    return [{ file, path }];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const inside: FileSystemEntry[] = [];
  for (;;) {
    // Chromium gives a hundred at a time.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) break;
    inside.push(...some);
  }
  return (await Promise.all(inside.map((each) => filesIn(each, `${path}/`)))).flat();
}
