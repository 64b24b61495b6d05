import { type FieldErrors, invalid } from '../../../contract/declarations/errors.ts'
import { EVERY_EVENT } from '../../../contract/documents/event-types.ts'
import { didYouMean } from '../../../contract/values/nearest.ts'
import type { Context } from '../../../records/context.ts'

/** Without repetition, and `*` alone where it is among them. A 422 when none is given or one is unknown. */
export function settleEvents({ eventTypes }: Context, given: string[]): string[] {
  if (given.length === 0) throw invalid({ enabled_events: ['must contain an event type, or "*" for all'] })
  const errors: FieldErrors = {}
  for (const [index, name] of given.entries()) {
    if (name === EVERY_EVENT || eventTypes.find(name)) continue
    const meant = didYouMean(name, eventTypes.names)
    errors[`enabled_events.${index}`] = [`is not an event type${meant}; GET /events lists them`]
  }
  if (Object.keys(errors).length > 0) throw invalid(errors)
  return given.includes(EVERY_EVENT) ? [EVERY_EVENT] : [...new Set(given)]
}
