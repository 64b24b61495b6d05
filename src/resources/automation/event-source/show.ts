import { mayAct } from '../../../contract/declarations/rights.ts'
import { inOnePiece } from '../../../contract/values/values.ts'
import type { Context, VaultContext } from '../../../records/context.ts'
import type { Derived } from '../../../records/resource.ts'
import { EventSource, type EventSourceRow } from './event-source.ts'

const PURPOSE = 'event_source'

/** Derives the ingest URLs. Only callers with the right `automation.write` see them, because the URLs are secret. */
export function deriveAddress(sources: EventSourceRow[], context: Context): Derived[] {
  return sources.map(({ id, provider }) => {
    const isPushed = context.services.sources.find(provider)?.kind === 'pushed'
    return { ingest_url: isPushed && mayAct(context.caller, 'automation.write') ? ingestUrl(context, id) : null }
  })
}

/** Returns the URL that receives the source's events. Its secret is derived from the service's secret and not stored. */
function ingestUrl({ services, publicUrl }: VaultContext & Pick<Context, 'publicUrl'>, id: string): string {
  return inOnePiece(publicUrl, '/ingest/', id, '/', services.vault.derive(PURPOSE, id))
}

/** Returns whether the secret in an ingest URL belongs to the source. */
export function opensIngest({ services }: VaultContext, id: string, given: string): boolean {
  return EventSource.isId(id) && services.vault.matches(PURPOSE, id, given)
}
