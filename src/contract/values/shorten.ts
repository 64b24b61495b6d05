import type { Json } from './json.ts'

/** The maximum size of a note about the omitted part. */
const NOTE_BYTES = 48
/** A shortened value below this size would be useless. */
const MIN_USEFUL_BYTES = 160
/** Arrays up to this length keep all items in shortened form; longer ones keep only their first items. */
const FEW_ITEMS = 10
const MIN_MEMBER_BYTES = 8

type JsonObject = { [key: string]: Json }

/** Shortens a value to at most `limit` bytes of JSON (`limit` ≥ 160), with notes about the omitted members and characters. */
export function shorten(value: Json, limit: number): Json {
  if (sizeWithin(value, limit) <= limit) return value
  if (typeof value === 'string') return shortenString(value, limit)
  if (Array.isArray(value)) return value.length <= FEW_ITEMS ? shareRoom(value, limit) : keepHead(value, limit)
  if (value !== null && typeof value === 'object') return shortenObject(value, limit)
  return value
}

/** Returns the size of a value's JSON in bytes, or Infinity as soon as it exceeds `room`. */
function sizeWithin(value: Json, room: number): number {
  if (typeof value === 'string') return value.length > room ? Infinity : Buffer.byteLength(JSON.stringify(value))
  if (value === null || typeof value !== 'object') return JSON.stringify(value).length
  let size = 1
  if (Array.isArray(value)) {
    for (const item of value) {
      if (size > room) return Infinity
      size += sizeWithin(item, room - size) + 1
    }
  } else {
    for (const key in value) {
      if (size > room) return Infinity
      size += sizeWithin(key, room) + 2
      size += sizeWithin(value[key]!, room - size)
    }
  }
  return size > room ? Infinity : Math.max(size, 2)
}

function shortenString(text: string, limit: number): string {
  const room = limit - NOTE_BYTES
  let [least, most] = [0, Math.min(text.length, room)]
  while (least < most) {
    const middle = Math.ceil((least + most) / 2)
    if (sizeWithin(text.slice(0, middle), room) <= room) least = middle
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
  let room = limit - 2 - NOTE_BYTES
  for (const item of items) {
    const size = sizeWithin(item, room) + 1
    if (size > room && room < MIN_USEFUL_BYTES) break
    kept.push(size > room ? shorten(item, room - 1) : item)
    room -= size
    if (room <= 0) break
  }
  return [...kept, `… (${items.length - kept.length} more items)`]
}

/** Keeps small items whole and shortens large ones equally. If the shares are too small, keeps only the first items. */
function shareRoom(items: Json[], limit: number): Json[] {
  const sizes = items.map((item) => sizeWithin(item, limit) + 1)
  const shares = fairShares(sizes, limit - 2)
  if (shares === null) return keepHead(items, limit)
  return items.map((item, index) => shorten(item, shares[index]! - 1))
}

function shortenObject(object: JsonObject, limit: number): Json {
  const keys = Object.keys(object)
  if (keys.length * MIN_MEMBER_BYTES > limit) return keepFirstKeys(object, keys, limit)
  const room = limit - 2 - keys.reduce((sum, key) => sum + sizeWithin(key, limit) + 2, 0)
  const sizes = keys.map((key) => sizeWithin(object[key]!, limit))
  const shares = fairShares(sizes, room)
  if (shares === null) return keepFirstKeys(object, keys, limit)
  return Object.fromEntries(keys.map((key, index) => [key, shorten(object[key]!, shares[index]!)]))
}

function keepFirstKeys(object: JsonObject, keys: string[], limit: number): Json {
  const kept: [string, Json][] = []
  let room = limit - 2 - NOTE_BYTES
  for (const key of keys) {
    const forValue = room - sizeWithin(key, room) - 2
    const size = sizeWithin(object[key]!, forValue)
    if (size > forValue && forValue < MIN_USEFUL_BYTES) break
    kept.push([key, size > forValue ? shorten(object[key]!, forValue) : object[key]!])
    room = forValue - size
    if (room <= 0) break
  }
  return Object.fromEntries([...kept, ['…', `(${keys.length - kept.length} more keys)`]])
}

/** Returns null if a share would be too small to be useful. */
function fairShares(sizes: number[], room: number): number[] | null {
  const ascending = [...sizes].sort((a, b) => a - b)
  let left = room
  for (const [index, size] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - index))
    if (size > share) return share < MIN_USEFUL_BYTES + 1 ? null : sizes.map((own) => Math.min(own, share))
    left -= size
  }
  return sizes
}
