import { isCalendarDay, timestampOf, toTimestamp } from '../../contract/values/values.ts'
import { momentOf } from '../../contract/values/wall-clock.ts'

/** `2024-03-05`, with a time of day, and with a zone: `2024-03-05 14:22:10 +0100`, `2024-03-05T13:22:10Z`, `2024-03-05 13:22`. */
const WRITTEN =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?)?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2})?$/i

/**
 * The moment that a cell means, as answers write it; null when it cannot be told. A day or a time without a zone is meant in
 * `timeZone`. Only years come first: `03/04/2024` is March in one country and April in another.
 */
export function readMoment(text: string, timeZone: string): string | null {
  const [, day, hour = '00', minute = '00', second = '00', zone] = WRITTEN.exec(text.trim()) ?? []
  if (day === undefined || !isCalendarDay(day)) return null
  const time = `${hour}:${minute}:${second}`
  if (zone !== undefined) return toTimestamp(`${day}T${time}${/^[+-]/.test(zone) ? zone : 'Z'}`)
  const reading = Date.parse(`${day}T${time}Z`)
  if (Number.isNaN(reading)) return null
  return toTimestamp(timestampOf(new Date(momentOf(timeZone, reading))))
}
