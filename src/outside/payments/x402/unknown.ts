/** It is not known what becomes of a transfer, so it is looked up again. Its message holds no address of a service, which may hold a key. */
export class UnknownOutcomeError extends Error {
  override name = 'UnknownOutcomeError'
}
