/** Resolves like `answer`, or rejects with `reason` as soon as the signal is aborted. The work behind `answer` is not canceled. */
export function raceAbort<Answer>(
  answer: Promise<Answer>,
  signal: AbortSignal,
  reason: () => unknown = () => signal.reason,
): Promise<Answer> {
  const { promise, reject } = Promise.withResolvers<never>()
  const abort = () => reject(reason())
  signal.addEventListener('abort', abort, { once: true })
  return Promise.race([answer, promise]).finally(() => signal.removeEventListener('abort', abort))
}
