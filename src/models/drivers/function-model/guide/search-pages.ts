import type { GuidePage } from "./pages.ts";

/** A matching section with its page. A higher `score` is a better match. */
export interface Hit {
  page: GuidePage;
  section: GuidePage["sections"][number];
  score: number;
}

/** Usual constants of BM25 (Robertson and Zaragoza, 2009): how fast repetition saturates, how much length counts. */
const saturation = 1.2;
const lengthWeight = 0.6;
/** A word in a heading says more about a section than one in its text. */
const weights = { title: 3, words: 2, heading: 4, text: 1 };

/**
 * Tables of all variables and all endpoints repeat the words of every other page: for a question without a name in capitals,
 * such as that of a variable, they count less.
 */
const referenceWeight = 0.5;
const capitals = /\b[A-Z][A-Z0-9_]{2,}\b/;
const referencePages = new Set(["configuration", "endpoints"]);

const stopWords = new Set(
  "a about an and any are as at be been but by can could did do does for from get has have how i if in into is it its just like may me my need no not of on one or our out please so some such tell than that the their them then there these they this to up us use used using want was we were what when where which who why will with work works would you your parley hello hi hey thanks thank".split(
    " ",
  ),
);

/** Lower case, without accents, stop words and the commonest endings; so "Connecting keys" and "connect key" are the same. A variable is one word. */
export function termsOf(text: string): string[] {
  const words =
    text
      .normalize("NFKD")
      .replace(/\p{M}/gu, "")
      .toLowerCase()
      .match(/[\p{L}\p{N}_]+/gu) ?? [];
  return words.filter((word) => !stopWords.has(word)).map(stem);
}

function stem(word: string): string {
  if (word.length <= 3) return word;
  const base = word
    .replace(/(?:ies)$/, "y")
    .replace(/(?:sses)$/, "ss")
    .replace(/(?<![su])s$/, "");
  const cut = base.length > 5 ? base.replace(/(?:ation|ion|ing|ed|ly)$/, "") : base;
  return cut.length >= 3 ? cut.replace(/e$/, "") : base;
}

/** Examples repeat words such as Bearer on every page, so they say little about a section. */
function withoutCode(text: string): string {
  return text.replace(/^```[\s\S]*?^```$/gm, "");
}

/** A text as BM25 sees it: weighted counts of its terms, and its length. */
interface Bag {
  counts: Map<string, number>;
  length: number;
}

function bagOf(parts: [text: string, weight: number][]): Bag {
  const counts = new Map<string, number>();
  let length = 0;
  for (const [text, weight] of parts) {
    for (const term of termsOf(text)) {
      counts.set(term, (counts.get(term) ?? 0) + weight);
      length += weight;
    }
  }
  return { counts, length };
}

/** Scores of all bags for the terms of a question. */
function rank(bags: Bag[], terms: string[]): number[] {
  const average = bags.reduce((sum, { length }) => sum + length, 0) / bags.length;
  const weighted = terms.map((term) => {
    const containing = bags.filter(({ counts }) => counts.has(term)).length;
    return { term, rarity: Math.log(1 + (bags.length - containing + 0.5) / (containing + 0.5)) };
  });
  return bags.map(({ counts, length }) => {
    const norm = saturation * (1 - lengthWeight + (lengthWeight * length) / average);
    return weighted.reduce((sum, { term, rarity }) => {
      const count = counts.get(term) ?? 0;
      return sum + (rarity * count * (saturation + 1)) / (count + norm);
    }, 0);
  });
}

export interface PageIndex {
  /** The sections that fit best, best first. */
  search(question: string, limit: number): Hit[];
}

/**
 * A keyword index over help pages. A section is scored by its own text and by its page: the page has the subject and
 * its other names, the section the question. On a tie the earlier section wins, so pages begin with the most frequent
 * questions.
 */
export function indexPages(pages: readonly GuidePage[]): PageIndex {
  const pageBags = pages.map((page) =>
    bagOf([
      [page.title, weights.title],
      [page.words, weights.words],
      [page.intro, weights.text],
      ...page.sections.flatMap(({ heading, text }): [string, number][] => [
        [heading, 1],
        [withoutCode(text), 1],
      ]),
    ]),
  );
  const entries = pages.flatMap((page, at) =>
    page.sections.map((section) => ({
      page,
      at,
      section,
      bag: bagOf([
        [section.heading, weights.heading],
        [withoutCode(section.text), weights.text],
      ]),
    })),
  );
  return {
    search(question, limit) {
      const terms = [...new Set(termsOf(question))];
      const ofReference = capitals.test(question) ? 1 : referenceWeight;
      const pageScores = rank(pageBags, terms);
      const sectionScores = rank(
        entries.map(({ bag }) => bag),
        terms,
      );
      return entries
        .map(({ page, at, section }, position) => ({
          page,
          section,
          score: (pageScores[at]! + sectionScores[position]!) * (referencePages.has(page.slug) ? ofReference : 1),
        }))
        .filter(({ score }) => score > 0)
        .sort((a, b) => b.score - a.score)
        .slice(0, limit);
    },
  };
}
