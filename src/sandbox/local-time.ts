import { nearest } from '../contract/values/nearest.ts'
import { isTimeZone } from '../contract/values/values.ts'
import { momentOf, momentsOf, offsetsBetween } from '../contract/values/wall-clock.ts'
import { Newest } from '../newest.ts'

/** Bytes of a question: a zone's name and a number. */
export const MAX_ZONE_QUESTION = 300
const DAY_SECONDS = 24 * 60 * 60
/** To find out whether there is a zone takes long. */
const known = new Newest<string, boolean>(200)
/** From 1970 until the end of the year 9999, in seconds, and a day more at either end. */
const LEAST = -DAY_SECONDS
const MOST = 253_402_300_800 + DAY_SECONDS

/** What the guest asks about the clocks of a zone, which is that of the account where it names none. */
interface ZoneQuestion {
  /** `reading`: when do they show this, in seconds since 1970 as if it were UTC? `day`: how far are they ahead on this day of UTC? */
  about: 'reading' | 'day'
  value: number
  zone: string
}

const QUESTION = /^(reading|day) (-?\d{1,12}) (.{0,100})$/

/**
 * Answers a question of the guest about the clocks of a time zone: `A` and JSON, or `F` and a sentence that says what is wrong.
 * It needs nobody but the worker, and gives all times in seconds. `ownZone` gives the account's zone, or null where there is none.
 */
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

/** `at` is the moment to take; `again` the later one of a reading that is shown twice; `skipped` says that it is never shown. */
function occurrences(zone: string, reading: number) {
  const [at, again] = momentsOf(zone, reading * 1000)
  return {
    at: (at ?? momentOf(zone, reading * 1000)) / 1000,
    again: again === undefined ? null : again / 1000,
    skipped: at === undefined,
  }
}

/** Pairs of a moment and the offset from it on. */
function offsetsOf(zone: string, day: number): [number, number][] {
  const [from, until] = [day * DAY_SECONDS * 1000, (day + 1) * DAY_SECONDS * 1000]
  return offsetsBetween(zone, from, until).map((span) => [span.from / 1000, span.offset / 1000])
}

function isKnown(zone: string): boolean {
  const found = known.get(zone) ?? isTimeZone(zone)
  known.set(zone, found)
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
  if (about === 'reading' && value >= LEAST && value <= MOST) return { about, value, zone: zone ?? '' }
  return about === 'day' && value * DAY_SECONDS >= LEAST && value * DAY_SECONDS <= MOST
    ? { about, value, zone: zone ?? '' }
    : null
}
