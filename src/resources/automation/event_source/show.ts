import { mayAct } from '../../../contract/declarations/rights.ts'
import type { Context } from '../../../records/context.ts'
import type { Derived } from '../../../records/resource.ts'
import { ingestUrl } from './addresses.ts'
import type { EventSourceRow } from './event_source.ts'

/** The address of each source whose provider takes requests. */
export function deriveAddress(sources: EventSourceRow[], context: Context): Derived[] {
  return sources.map(({ id, provider }) => {
    const isPushed = context.services.sources.find(provider)?.kind === 'pushed'
    return { ingest_url: isPushed && mayAct(context.caller, 'automation.write') ? ingestUrl(context, id) : null }
  })
}
