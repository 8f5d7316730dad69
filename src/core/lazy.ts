// Computes a value on first use, for values that take long to compute and that most runs do not need.

export function lazy<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
