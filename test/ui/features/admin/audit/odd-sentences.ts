import type { AuditEvent } from "../../../../../src/people/audit/schema.ts";
import { describeDetail } from "../../../../../src/ui/features/admin/audit/describe-detail.ts";
import { describeEvent } from "../../../../../src/ui/features/admin/audit/describe-event.ts";
import { fieldName } from "../../../../../src/ui/features/admin/audit/field-name.ts";
import { texts } from "../../../../../src/ui/features/admin/audit/texts.ts";

/**
 * Sentences and fields of the audit page that are no English: spelled out of stored names, or saying something twice.
 * @param titles of the settings, by their names
 */
export function oddSentences(events: readonly AuditEvent[], titles: ReadonlyMap<string, string>): string[] {
  const odd: string[] = [];
  for (const event of events) {
    const { actor, before, target, after } = describeEvent(event, titles);
    const said = `${actor} ${before}${target}${after}`;
    const spelled = texts.actions[event.action] === undefined && event.action !== "settings.updated";
    if (spelled || /_|undefined|:/.test(before + after) || /\b(the [a-z ]+) \1\b/.test(said))
      odd.push(`${event.action}: ${said}`);
    for (const { path } of describeDetail(event.detail, texts.words)) {
      const name = fieldName(path || (texts.subjects[event.action] ?? ""), titles);
      if (/[a-z]_[a-z]/.test(name) || !/^\P{Ll}/u.test(name)) odd.push(`${event.action}: field ${path} is ${name}`);
    }
  }
  return odd;
}
