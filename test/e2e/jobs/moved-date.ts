/**
 * Loaded before a program: its wall clock begins at the instant `TEST_DATE`. The simulated platform refuses days that are
 * not over by its own clock, which a demo moves.
 */
const offsetMs = Date.parse(process.env['TEST_DATE'] ?? '') - Date.now();
if (Number.isNaN(offsetMs)) throw new Error('TEST_DATE is no instant');

globalThis.Date = new Proxy(Date, {
  construct: (target, values: [], subclass) =>
    Reflect.construct(target, values.length === 0 ? [target.now() + offsetMs] : values, subclass),
  get: (target, name) => (name === 'now' ? () => target.now() + offsetMs : Reflect.get(target, name)),
});
