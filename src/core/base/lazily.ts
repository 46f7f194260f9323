/** Makes a value when it is first needed, and keeps it. @example const format = lazily(() => new Intl.NumberFormat('en')); format().format(1) */
export function lazily<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
