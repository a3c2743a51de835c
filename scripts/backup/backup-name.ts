/** File names of backups that Parley names itself: with their moment, so that they sort by it. */
const pattern = /^parley-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.tar\.zst(?:\.age)?$/;

export function backupName(moment: Date, isEncrypted: boolean): string {
  const time = moment.toISOString().slice(0, 19).replaceAll(":", "-");
  return `parley-${time}Z.tar.zst${isEncrypted ? ".age" : ""}`;
}

/** The moment of such a file; undefined for others. */
export function momentOf(name: string): Date | undefined {
  const [, day, hour, minute, second] = pattern.exec(name) ?? [];
  return day === undefined ? undefined : new Date(`${day}T${hour}:${minute}:${second}Z`);
}
