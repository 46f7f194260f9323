/** Another process was faster, or changed the budget or watch: the decision is dropped and made again later. */
export class LostRace extends Error {
  override readonly name = 'LostRace';
}
