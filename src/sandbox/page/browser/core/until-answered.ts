/** Between two requests to a sandbox that does not answer. */
export const aSecond = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, 1_000));

/**
 * Asks once a second until there is an answer. A busy or restarted sandbox answers later, and a page that gave up would stay
 * empty until someone reloads it.
 *
 * @param onFailure told of each attempt without an answer
 */
export async function untilAnswered<Answer>(
  ask: () => Promise<Answer>,
  onFailure: (error: unknown) => void = () => undefined,
): Promise<Answer> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      onFailure(error);
      await aSecond();
    }
  }
}
