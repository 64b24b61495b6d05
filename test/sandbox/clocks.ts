/** What clocks of a zone show around their changes in 2026, found by another way than the service's: the offset that `Intl` names. */
export interface Clocks {
  zone: string
  changes: { at: number; before: number; after: number }[]
  moments: {
    /** In seconds since 1970. */
    at: number
    offset: number
    date: string
    /** The first and the last moment at which the clocks show the same. */
    first: string
    last: string
  }[]
  /** Readings that are skipped, each with the first moment after. */
  gaps: { reading: string; after: string }[]
}

const DAY = 86_400
const FROM = Date.UTC(2026, 0, 1) / 1000
const QUARTER = 900

export function clocksOf2026(): Clocks[] {
  return Intl.supportedValuesOf('timeZone').map(clocksOf)
}

function clocksOf(zone: string): Clocks {
  const offsetAt = offsetsOf(zone)
  const changes = Array.from({ length: 365 }, (_, day) => FROM + day * DAY).flatMap((at) => changeIn(offsetAt, at))
  const moments = momentsAround(changes.map(({ at }) => at)).map((at) => {
    const offset = offsetAt(at)
    // The clocks show the same at the moments that lie as far apart as their offsets do.
    const others = changes.flatMap(({ before, after }) => [at + before - after, at - before + after])
    const same = [at, ...others.filter((other) => other + offsetAt(other) === at + offset)]
    const [first, last] = [Math.min(...same), Math.max(...same)].map(iso)
    return { at, offset, date: iso(at + offset).slice(0, 10), first: first!, last: last! }
  })
  const gaps = changes
    .filter(({ before, after }) => after > before)
    .flatMap(({ at, before, after }) =>
      [at + before, at + (before + after) / 2, at + after - 1].map((reading) => ({
        reading: iso(Math.floor(reading)).slice(0, 19),
        after: iso(at),
      })),
    )
  return { zone, changes, moments, gaps }
}

/** Every three hours of the week around each change, and every quarter of an hour near it. */
function momentsAround(changes: number[]): number[] {
  const around = changes.length > 0 ? changes : [FROM + 180 * DAY]
  const all = around.flatMap((at) => [
    ...Array.from({ length: 56 }, (_, index) => at + (index - 28) * 3 * 3600),
    ...Array.from({ length: 24 }, (_, index) => at + (index - 12) * QUARTER),
    at - 1,
  ])
  return [...new Set(all)].sort((one, other) => one - other)
}

function changeIn(offsetAt: (at: number) => number, day: number): Clocks['changes'] {
  const [before, after] = [offsetAt(day), offsetAt(day + DAY)]
  if (before === after) return []
  const steps = Array.from({ length: DAY / QUARTER }, (_, index) => day + (index + 1) * QUARTER)
  return [{ at: steps.find((at) => offsetAt(at) === after)!, before, after }]
}

function offsetsOf(zone: string): (at: number) => number {
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })
  return (at) => {
    const name = format.format(at * 1000)
    const [, sign, hours, minutes, seconds = '0'] = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(name) ?? [
      '',
      '+',
      '0',
      '0',
    ]
    const ahead = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
    return sign === '-' ? -ahead : ahead
  }
}

function iso(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`
}
