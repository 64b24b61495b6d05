import { inflateSync, type ZlibOptions } from 'node:zlib'
import { bytesInWords } from '../../../../format/sizes.ts'
import { BuildFailedError } from '../provider.ts'

export const MOST_PACK_BYTES = 30_000_000
/** The maximum unpacked size of a clone's objects in bytes, which also limits the work of unpacking. */
const MOST_UNPACKED_BYTES = 150_000_000
const MOST_OBJECTS = 10_000
export const MOST_ENTRIES = 10_000
export const DEEPEST = 20
/** The time limits of the whole clone and of one response from the git host. */
export const CLONE_MS = 120_000
export const ANSWER_MS = 60_000
export const MOST_REDIRECTS = 3

const HEADER_BYTES = 12
const OFFSET_DELTA = 6
const REFERENCE_DELTA = 7

/** Checks a pack (gitformat-pack) before the git library unpacks it in memory. Throws BuildFailedError if unpacking would take too much. */
export function requireModestPack(pack: Uint8Array): void {
  const bytes = Buffer.from(pack.buffer, pack.byteOffset, pack.byteLength)
  if (bytes.length < HEADER_BYTES || bytes.toString('latin1', 0, 4) !== 'PACK') throw unreadable()
  const count = bytes.readUInt32BE(8)
  if (count > MOST_OBJECTS)
    throw new BuildFailedError([
      `The newest commit of the repository has ${count} objects; at most ${MOST_OBJECTS} are read.`,
    ])
  /** Maps the offset of an object to the bytes to process for it: its own and those of all its delta bases. */
  const work = new Map<number, number>()
  let [at, total] = [HEADER_BYTES, 0]
  for (let read = 0; read < count; read++) {
    const object = objectAt(bytes, at, MOST_UNPACKED_BYTES - total)
    const ofBase = object.base === null ? 0 : work.get(object.base)
    if (ofBase === undefined) throw unreadable()
    work.set(at, ofBase + object.size)
    total += ofBase + object.size
    if (total > MOST_UNPACKED_BYTES) throw tooLarge()
    at = object.end
  }
}

interface PackedObject {
  /** The unpacked size in bytes; `end` is the offset of the next object. */
  size: number
  end: number
  /** The offset of the object to which the delta applies; null for an object without a delta. */
  base: number | null
}

function objectAt(bytes: Buffer, start: number, room: number): PackedObject {
  const header = numberAt(bytes, start, 4)
  const type = (header.first >> 4) & 7
  if (type === REFERENCE_DELTA) throw unreadable()
  const offset = type === OFFSET_DELTA ? offsetAt(bytes, header.end) : null
  const { buffer, end } = inflatedAt(bytes, offset?.end ?? header.end, room)
  if (buffer.length !== header.value) throw unreadable()
  if (offset === null) return { size: buffer.length, end, base: null }
  const target = numberAt(buffer, numberAt(buffer, 0, 7).end, 7).value
  return { size: buffer.length + target, end, base: start - offset.value }
}

interface InflateResult {
  buffer: Buffer
  engine: { bytesWritten: number }
}

function isInflateResult(given: unknown): given is InflateResult {
  return typeof given === 'object' && given !== null && 'buffer' in given && 'engine' in given
}

/** Inflates the data at the offset `at`. `room` is the number of bytes left of the limit for all objects. */
function inflatedAt(bytes: Buffer, at: number, room: number): { buffer: Buffer; end: number } {
  const options: ZlibOptions = { info: true, maxOutputLength: Math.max(1, room) }
  try {
    // With `info`, the result includes the engine, which is missing from the types of Node.js.
    const informed: unknown = inflateSync(bytes.subarray(at), options)
    if (!isInflateResult(informed)) throw unreadable()
    return { buffer: informed.buffer, end: at + informed.engine.bytesWritten }
  } catch (error) {
    throw error instanceof RangeError ? tooLarge() : unreadable()
  }
}

/** Reads a little-endian variable-length number whose first byte contains `firstBits` of it. */
function numberAt(bytes: Buffer, start: number, firstBits: number): { value: number; first: number; end: number } {
  const first = bytes[start] ?? 0
  let [value, factor, at] = [first & (2 ** firstBits - 1), 2 ** firstBits, start]
  while ((bytes[at] ?? 0) & 0x80 && at - start < 8) {
    at += 1
    value += ((bytes[at] ?? 0) & 0x7f) * factor
    factor *= 128
  }
  return { value, first, end: at + 1 }
}

/** Reads the distance to a delta's base: groups of seven bits, big-endian. */
function offsetAt(bytes: Buffer, start: number): { value: number; end: number } {
  let [value, at] = [(bytes[start] ?? 0) & 0x7f, start]
  while ((bytes[at] ?? 0) & 0x80 && at - start < 8) {
    at += 1
    value = (value + 1) * 128 + ((bytes[at] ?? 0) & 0x7f)
  }
  return { value, end: at + 1 }
}

function tooLarge(): BuildFailedError {
  return new BuildFailedError([
    `The newest commit of the repository is too large: its files may have ${bytesInWords(MOST_UNPACKED_BYTES)} when they are unpacked.`,
  ])
}

function unreadable(): BuildFailedError {
  return new BuildFailedError(['The git host has sent a repository that cannot be read.'])
}
