import type { FoundPerson } from "./find-people.ts";

/**
 * Those whom a word may mean: names that begin so first, then names with a part that begins so, with it somewhere, and e-mails with
 * it. A list that was looked for with another word is cut to what still fits, so that Enter never takes somebody else. Pure.
 */
export function rankPeople(people: readonly FoundPerson[], query: string): FoundPerson[] {
  const wanted = plain(query);
  const place = ({ name, email }: FoundPerson): number => {
    const at = plain(name).indexOf(wanted);
    if (at === 0) return 0;
    if (at > 0) return plain(name).includes(` ${wanted}`) ? 1 : 2;
    return plain(email).includes(wanted) ? 3 : 4;
  };
  return people
    .map((person) => ({ person, at: place(person) }))
    .filter(({ at }) => at < 4)
    .sort((a, b) => Number(b.person.isMember) - Number(a.person.isMember) || a.at - b.at)
    .map(({ person }) => person);
}

/** Without accents and capitals. */
function plain(text: string): string {
  return text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
}
