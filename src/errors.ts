/** The class of an error, for logs and traces. Its `name` is used if it says more, such as that of an `AbortError`. */
export function kindOfError(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  return error.name === 'Error' ? error.constructor.name : error.name
}
