/** A value that is made when it is first asked for, so that what takes long to make costs a start nothing. */
export function lazily<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
