import { inOnePiece } from '../../../contract/values/values.ts'
import type { Context } from '../../../records/context.ts'
import { EventSource } from './event_source.ts'

type Vaulted = Pick<Context, 'services'>

/** What the capability in the address is for. */
const PURPOSE = 'event_source'

/** Where outside systems post: an address that nobody can guess, derived from the service's secret and stored nowhere. */
export function ingestUrl({ services, publicUrl }: Vaulted & Pick<Context, 'publicUrl'>, id: string): string {
  return inOnePiece(publicUrl, '/ingest/', id, '/', services.vault.derive(PURPOSE, id))
}

/** Whether somebody has the address of a source. */
export function opensIngest({ services }: Vaulted, id: string, given: string): boolean {
  return EventSource.isId(id) && services.vault.matches(PURPOSE, id, given)
}
