/** The class of an error, for logs and traces. Its `name` is used if it says more, such as that of an `AbortError`. */
export function kindOfError(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  return error.name === 'Error' ? error.constructor.name : error.name
}

type ErrorClass<Failure extends Error> = abstract new (...given: never[]) => Failure

/** Returns a handler for rejections that answers errors of one class, and throws all others again. */
export function only<Failure extends Error, Result>(
  kind: ErrorClass<Failure>,
  answer: (error: Failure) => Result,
): (error: unknown) => Result {
  return (error) => {
    if (error instanceof kind) return answer(error)
    throw error
  }
}

/** Returns a handler for rejections that throws another error instead of those of one class. */
export function replacing<Failure extends Error>(
  kind: ErrorClass<Failure>,
  replacement: (error: Failure) => Error,
): (error: unknown) => never {
  return only(kind, (error) => {
    throw replacement(error)
  })
}
