/** Another process did it, or changed the budget in between: what was decided is dropped and decided again. */
export class LostRace extends Error {
  override readonly name = 'LostRace';
}
