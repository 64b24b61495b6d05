import { type ForkOptions, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Places } from '../../queues/places.ts'
import type { FilmAnswer, FilmQuestion } from './film-process.ts'
import { type ByteRange, type Measures, UNKNOWN } from './provider.ts'

/** The index of a film of ten hours has some 15 MB. */
const MOST_BYTES = 32_000_000
/** For the reading, and for the wait for a place. */
const MOST_MS = 10_000
const PROGRAM = fileURLToPath(new URL('./film-process.ts', import.meta.url))
/** Nothing of this process is for the other to see or to write to. */
const OPTIONS = {
  execArgv: ['--max-old-space-size=128'],
  env: {},
  stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  serialization: 'advanced',
} satisfies ForkOptions

/** Films that are read at a time: one of an account, so that nobody waits for the films of another. */
const places = new Places({ count: 2, each: 1 })

export interface Film {
  /** Whose film it is: accounts take turns. */
  account: string
  size: number
  /** A part of its bytes, or null when they are gone. */
  read(range: ByteRange): Promise<Uint8Array | null>
}

/**
 * The length and the sides of a film in MP4, QuickTime, WebM or Matroska. Unknown for anything else, and when 32 MB and 10 seconds
 * do not tell. The index of a film can claim billions of entries. So a process of its own reads it, which may run out of memory
 * alone; a thread would take this process with it.
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
