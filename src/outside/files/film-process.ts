import { CustomSource, Input, Logging, LogLevel, MATROSKA, MP4, QTFF, WEBM } from 'mediabunny'

/** It asks for bytes, both ends included, until it has the length. Each question gets an answer of its number; null: no bytes. */
export type FilmQuestion = { number: number; start: number; end: number } | { lengthMs: number | null }
export type FilmAnswer = { number: number; bytes: Uint8Array | null }

const waiting = new Map<number, PromiseWithResolvers<Uint8Array>>()
let asked = 0

process.on('message', ({ number, bytes }: FilmAnswer) => {
  const answer = waiting.get(number)!
  waiting.delete(number)
  if (bytes) answer.resolve(bytes)
  else answer.reject(new Error('No more bytes are read.'))
})

function read(start: number, end: number): Promise<Uint8Array> {
  const answer = Promise.withResolvers<Uint8Array>()
  waiting.set(++asked, answer)
  process.send!({ number: asked, start, end: end - 1 } satisfies FilmQuestion)
  return answer.promise
}

async function lengthMs(size: number): Promise<number | null> {
  Logging.level = LogLevel.Silent
  const source = new CustomSource({ getSize: () => size, read, prefetchProfile: 'network' })
  const input = new Input({ source, formats: [MP4, QTFF, WEBM, MATROSKA] })
  // Recordings are written without their length, which is then where their last part ends.
  const seconds = (await input.getDurationFromMetadata()) || (await input.computeDuration())
  return Number.isFinite(seconds) && seconds > 0 ? Math.round(seconds * 1000) : null
}

const found = await lengthMs(Number(process.argv[2])).catch(() => null)
process.send!({ lengthMs: found } satisfies FilmQuestion, () => process.disconnect?.())
