export class LostRace extends Error {
  override readonly name = 'LostRace';
}
