import { CustomSource, Input, Logging, LogLevel, MATROSKA, MP4, QTFF, WEBM } from 'mediabunny'
import { checked, type Sides } from './picture.ts'
import type { Measures } from './provider.ts'

/** A message of the child process: a request for the bytes from `start` to `end`, both inclusive, or the result. */
export type FilmQuestion = { number: number; start: number; end: number } | { measures: Measures }
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

function open(size: number): Input {
  Logging.level = LogLevel.Silent
  const source = new CustomSource({ getSize: () => size, read, prefetchProfile: 'network' })
  return new Input({ source, formats: [MP4, QTFF, WEBM, MATROSKA] })
}

async function lengthMs(film: Input): Promise<number | null> {
  // Live recordings have no duration in their metadata, so the end of the last packet is used.
  const seconds = (await film.getDurationFromMetadata()) || (await film.computeDuration())
  return Number.isFinite(seconds) && seconds > 0 ? Math.round(seconds * 1000) : null
}

/** Returns the displayed dimensions of the first video track. Finding the main track would require reading all of them. */
async function sides(film: Input): Promise<Sides | null> {
  const [track] = await film.getVideoTracks()
  if (!track) return null
  const [width, height] = [await track.getDisplayWidth(), await track.getDisplayHeight()]
  return checked({ width: Math.round(width), height: Math.round(height) })
}

const film = open(Number(process.argv[2]))
const length = await lengthMs(film).catch(() => null)
const { width, height } = (await sides(film).catch(() => null)) ?? { width: null, height: null }
process.send!({ measures: { lengthMs: length, width, height } } satisfies FilmQuestion, () => process.disconnect?.())
