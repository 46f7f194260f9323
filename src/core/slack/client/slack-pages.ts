interface Page {
  response_metadata?: { next_cursor?: string };
}

/** @param ask receives the cursor of the next page */
export async function* pagesOf<Answer extends Page>(
  ask: (from: { cursor?: string }) => Promise<Answer>,
  maxPages = Infinity,
): AsyncGenerator<Answer> {
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const answer = await ask(cursor === undefined ? {} : { cursor });
    yield answer;
    cursor = answer.response_metadata?.next_cursor || undefined;
    if (cursor === undefined) return;
  }
}
