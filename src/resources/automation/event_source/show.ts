import { mayAct } from '../../../contract/declarations/rights.ts'
import { inOnePiece } from '../../../contract/values/values.ts'
import type { Context } from '../../../records/context.ts'
import type { Derived } from '../../../records/resource.ts'
import { EventSource, type EventSourceRow } from './event_source.ts'

/** What the capability in the address is for. */
const PURPOSE = 'event_source'

/** The address of each source whose provider takes requests. */
export function deriveAddress(sources: EventSourceRow[], context: Context): Derived[] {
  return sources.map(({ id, provider }) => {
    const isPushed = context.services.sources.find(provider)?.kind === 'pushed'
    return { ingest_url: isPushed && mayAct(context.caller, 'automation.write') ? ingestUrl(context, id) : null }
  })
}

type Vaulted = Pick<Context, 'services'>

/** Where outside systems post: an address that nobody can guess, derived from the service's secret and stored nowhere. */
function ingestUrl({ services, publicUrl }: Vaulted & Pick<Context, 'publicUrl'>, id: string): string {
  return inOnePiece(publicUrl, '/ingest/', id, '/', services.vault.derive(PURPOSE, id))
}

/** Whether somebody has the address of a source. */
export function opensIngest({ services }: Vaulted, id: string, given: string): boolean {
  return EventSource.isId(id) && services.vault.matches(PURPOSE, id, given)
}
