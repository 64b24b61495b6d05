import { StorageError } from '../database/database.ts'

interface ErrorLog {
  error(details: object, message: string): void
}

const QUIET_MS = 60_000

/** Logs each problem of the storage at most once a minute, so that requests that keep failing do not fill the disk with log lines. */
export function withoutRepeats<Log extends ErrorLog>(log: Log, now: () => number = () => performance.now()): Log {
  const toldAt = new Map<StorageError['problem'], number>()
  const error = (details: { err?: unknown }, message: string) => {
    if (!(details.err instanceof StorageError)) return log.error(details, message)
    const { problem } = details.err
    if (now() - (toldAt.get(problem) ?? Number.NEGATIVE_INFINITY) < QUIET_MS) return
    toldAt.set(problem, now())
    log.error({ ...details, while: message }, WORDS[problem])
  }
  return Object.assign(Object.create(log), { error })
}

const WORDS: Record<StorageError['problem'], string> = {
  full: 'The storage is full',
  unavailable: 'The storage accepts no writes',
  unreachable: 'The database cannot be reached',
}
