/** Waits for an answer, or rejects with `reason` once the signal is aborted; what is waited for goes on. */
export function unlessAborted<Answer>(
  answer: Promise<Answer>,
  signal: AbortSignal,
  reason: () => unknown = () => signal.reason,
): Promise<Answer> {
  const { promise, reject } = Promise.withResolvers<never>()
  const abort = () => reject(reason())
  signal.addEventListener('abort', abort, { once: true })
  return Promise.race([answer, promise]).finally(() => signal.removeEventListener('abort', abort))
}
