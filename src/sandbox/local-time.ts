import { nearest } from '../contract/values/nearest.ts'
import { isTimeZone } from '../contract/values/values.ts'
import { momentOf, momentsOf, offsetsBetween } from '../contract/values/wall-clock.ts'
import { BoundedMap } from '../runtime/bounded-map.ts'

/** In bytes. A question consists of a kind, a number and the name of a zone. */
export const MAX_ZONE_QUESTION = 300
const DAY_SECONDS = 24 * 60 * 60
/** Caches the results of checking zone names, which is slow. */
const knownZones = new BoundedMap<string, boolean>(200)
/** Times from 1970 to the end of the year 9999 are allowed, in seconds, with a spare day at either end. */
const EARLIEST = -DAY_SECONDS
const LATEST = 253_402_300_800 + DAY_SECONDS

/** A program's question about the local time in a time zone. An empty zone means the account's. */
interface ZoneQuestion {
  /** `reading` asks at which times clocks show `value` (as if it were UTC seconds); `day` asks for the UTC offsets on day `value`. */
  about: 'reading' | 'day'
  value: number
  zone: string
}

const QUESTION = /^(reading|day) (-?\d{1,12}) (.{0,100})$/

/** Answers with `A` and JSON, in which all times are in seconds, or with `F` and a sentence. `ownZone` returns the account's zone. */
export function answerAboutZone(text: string, ownZone: () => string | null): string {
  const question = readQuestion(text)
  if (question === null) return 'FThe program changed how questions about time are asked.'
  const zone = question.zone || ownZone()
  if (zone === null) return 'Fcode_search knows no account and so no time zone; name one, as in zone: "Europe/Berlin"'
  if (!isKnown(zone)) return `F${unknownZone(zone)}`
  const { about, value } = question
  const found = about === 'day' ? { spans: offsetsOf(zone, value) } : occurrences(zone, value)
  return `A${JSON.stringify({ zone, ...found })}`
}

/** `at` is the time to use, `again` the later time at which clocks show the same, and `skipped` says that clocks never show it. */
function occurrences(zone: string, reading: number) {
  const [at, again] = momentsOf(zone, reading * 1000)
  return {
    at: (at ?? momentOf(zone, reading * 1000)) / 1000,
    again: again === undefined ? null : again / 1000,
    skipped: at === undefined,
  }
}

/** Returns pairs of a time and the UTC offset that applies from then on. */
function offsetsOf(zone: string, day: number): [number, number][] {
  const [from, until] = [day * DAY_SECONDS * 1000, (day + 1) * DAY_SECONDS * 1000]
  return offsetsBetween(zone, from, until).map((span) => [span.from / 1000, span.offset / 1000])
}

function isKnown(zone: string): boolean {
  const found = knownZones.get(zone) ?? isTimeZone(zone)
  knownZones.set(zone, found)
  return found
}

function unknownZone(zone: string): string {
  const near = nearest(zone, Intl.supportedValuesOf('timeZone'))
  const meant = near === null ? 'use a name such as "Europe/Berlin"' : `did you mean "${near}"?`
  return `${JSON.stringify(zone)} is not a known IANA time zone; ${meant}`
}

function readQuestion(text: string): ZoneQuestion | null {
  const [, about, number, zone] = QUESTION.exec(text) ?? []
  const value = Number(number)
  if (about === 'reading' && value >= EARLIEST && value <= LATEST) return { about, value, zone: zone ?? '' }
  return about === 'day' && value * DAY_SECONDS >= EARLIEST && value * DAY_SECONDS <= LATEST
    ? { about, value, zone: zone ?? '' }
    : null
}
