import { type ForkOptions, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Places } from '../../concurrency/places.ts'
import type { FilmAnswer, FilmQuestion } from './film-process.ts'
import { type ByteRange, type Measures, UNKNOWN } from './provider.ts'

/** The maximum number of bytes that are read of a film; the index of a ten-hour film has about 15 MB. */
const MOST_BYTES = 32_000_000
/** The maximum time for reading a film, and also for waiting until another film has been read. */
const MOST_MS = 10_000
const PROGRAM = fileURLToPath(new URL('./film-process.ts', import.meta.url))
/** The child process gets no environment variables and no streams except the IPC channel. */
const OPTIONS = {
  execArgv: ['--max-old-space-size=128'],
  env: {},
  stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  serialization: 'advanced',
} satisfies ForkOptions

/** At most two films are read at once, and one per account, so that one account alone cannot delay the others. */
const places = new Places({ count: 2, each: 1 })

export interface Film {
  account: string
  size: number
  /** Reads a range of bytes; null if they no longer exist. */
  read(range: ByteRange): Promise<Uint8Array | null>
}

/**
 * Measures a film. Returns UNKNOWN for formats other than MP4, QuickTime, WebM and Matroska, and beyond the limits. A film's
 * index can claim billions of entries, so a child process and not a thread reads it: if it runs out of memory, this process
 * continues.
 */
export async function measureFilm(film: Film): Promise<Measures> {
  const leave = await places.take(film.account, AbortSignal.timeout(MOST_MS)).catch(() => null)
  if (leave === null) return UNKNOWN
  try {
    return await readApart(film)
  } finally {
    leave()
  }
}

function readApart(film: Film): Promise<Measures> {
  const reader = fork(PROGRAM, [String(film.size)], OPTIONS)
  const { promise, resolve } = Promise.withResolvers<Measures>()
  const late = setTimeout(() => resolve(UNKNOWN), MOST_MS)
  let left = MOST_BYTES
  reader.on('error', () => resolve(UNKNOWN)).on('exit', () => resolve(UNKNOWN))
  reader.on('message', async (question: FilmQuestion) => {
    if ('measures' in question) return resolve(question.measures)
    const { number, start, end } = question
    left -= end - start + 1
    const bytes = left < 0 ? null : await film.read({ start, end }).catch(() => null)
    if (reader.connected) reader.send({ number, bytes } satisfies FilmAnswer)
  })
  return promise.finally(() => {
    clearTimeout(late)
    reader.kill('SIGKILL')
  })
}
