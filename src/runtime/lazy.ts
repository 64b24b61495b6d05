/** Returns a function that computes the value on its first call, so that an expensive value does not slow down the start. */
export function lazy<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
