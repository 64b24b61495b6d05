import type { Json } from '../../sandbox/door.ts'

/** Room that a note of what was left out may take, in bytes. */
const NOTE_ROOM = 48
/** Below this a shortened value says nothing any more. */
const LEAST_ROOM = 160
/** Arrays up to this length share their room between all items; longer ones keep their head. */
const FEW_ITEMS = 10

/** Bytes of a value's JSON. */
export function sizeOf(value: Json): number {
  return Buffer.byteLength(JSON.stringify(value))
}

/**
 * Cuts a value to at most `limit` bytes of JSON (`limit` ≥ 160), by its structure: long arrays and objects keep their
 * head and a note of how many were left out, long strings are cut with a note. A value that fits is given back as it is.
 */
export function shorten(value: Json, limit: number): Json {
  if (sizeOf(value) <= limit) return value
  if (typeof value === 'string') return shortenString(value, limit)
  if (Array.isArray(value)) return value.length <= FEW_ITEMS ? shareRoom(value, limit) : keepHead(value, limit)
  if (value !== null && typeof value === 'object') return shortenObject(value, limit)
  return value
}

function shortenString(text: string, limit: number): string {
  const room = limit - NOTE_ROOM
  let [least, most] = [0, Math.min(text.length, room)]
  while (least < most) {
    const middle = Math.ceil((least + most) / 2)
    if (sizeOf(text.slice(0, middle)) <= room) least = middle
    else most = middle - 1
  }
  const kept = text
    .slice(0, least)
    .toWellFormed()
    .replace(/\uFFFD$/, '')
  return `${kept}… (${text.length - kept.length} more characters)`
}

function keepHead(items: Json[], limit: number): Json[] {
  const kept: Json[] = []
  let room = limit - 2 - NOTE_ROOM
  for (const item of items) {
    const size = sizeOf(item) + 1
    if (size > room && room < LEAST_ROOM) break
    kept.push(size > room ? shorten(item, room - 1) : item)
    room -= size
    if (room <= 0) break
  }
  return [...kept, `… (${items.length - kept.length} more items)`]
}

/** Small items stay whole; the large ones share what is left in equal parts. Too many for that: the head is kept. */
function shareRoom(items: Json[], limit: number): Json[] {
  const shares = fairShares(
    items.map((item) => sizeOf(item) + 1),
    limit - 2,
  )
  if (shares === null) return keepHead(items, limit)
  return items.map((item, index) => shorten(item, shares[index]! - 1))
}

function shortenObject(object: { [key: string]: Json }, limit: number): Json {
  const entries = Object.entries(object)
  const keySizes = entries.map(([key]) => sizeOf(key) + 2)
  const room = limit - 2 - keySizes.reduce((sum, size) => sum + size, 0)
  const shares = fairShares(
    entries.map(([, value]) => sizeOf(value)),
    room,
  )
  if (shares !== null) return Object.fromEntries(entries.map(([key, value], at) => [key, shorten(value, shares[at]!)]))
  return keepFirstKeys(entries, limit)
}

function keepFirstKeys(entries: [string, Json][], limit: number): Json {
  const kept: [string, Json][] = []
  let room = limit - 2 - NOTE_ROOM
  for (const [key, value] of entries) {
    const forValue = room - sizeOf(key) - 2
    const size = sizeOf(value)
    if (size > forValue && forValue < LEAST_ROOM) break
    kept.push([key, size > forValue ? shorten(value, forValue) : value])
    room = forValue - size
    if (room <= 0) break
  }
  return Object.fromEntries([...kept, ['…', `(${entries.length - kept.length} more keys)`]])
}

/** The room for each size so that all fit into `room`, or null when a shortened one would get too little to say anything. */
function fairShares(sizes: number[], room: number): number[] | null {
  const ascending = [...sizes].sort((a, b) => a - b)
  let left = room
  for (const [index, size] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - index))
    if (size > share) return share < LEAST_ROOM + 1 ? null : sizes.map((own) => Math.min(own, share))
    left -= size
  }
  return sizes
}
