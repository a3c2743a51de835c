/** Rows a few at a time, for what is looked up for many of them at once. */
export async function* pagesOf<T>(rows: AsyncIterable<T>, size = 200): AsyncGenerator<T[]> {
  let page: T[] = [];
  for await (const row of rows) {
    page.push(row);
    if (page.length < size) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}
