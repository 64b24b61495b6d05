import { mayAct } from '../../../contract/declarations/rights.ts'
import { inOnePiece } from '../../../contract/values/values.ts'
import type { Context } from '../../../records/context.ts'
import type { Derived } from '../../../records/resource.ts'
import { EventSource, type EventSourceRow } from './event-source.ts'

/** The purpose for which the vault derives the secret in the URL. */
const PURPOSE = 'event_source'

/** Adds the ingest URL to each source whose provider accepts requests. Callers without the right `automation.write` get null. */
export function deriveAddress(sources: EventSourceRow[], context: Context): Derived[] {
  return sources.map(({ id, provider }) => {
    const isPushed = context.services.sources.find(provider)?.kind === 'pushed'
    return { ingest_url: isPushed && mayAct(context.caller, 'automation.write') ? ingestUrl(context, id) : null }
  })
}

type VaultContext = Pick<Context, 'services'>

/** Returns the secret URL to which external systems send events. The URL is derived from the service's secret and not stored. */
function ingestUrl({ services, publicUrl }: VaultContext & Pick<Context, 'publicUrl'>, id: string): string {
  return inOnePiece(publicUrl, '/ingest/', id, '/', services.vault.derive(PURPOSE, id))
}

/** Returns whether the secret in a URL belongs to the source. */
export function opensIngest({ services }: VaultContext, id: string, given: string): boolean {
  return EventSource.isId(id) && services.vault.matches(PURPOSE, id, given)
}
