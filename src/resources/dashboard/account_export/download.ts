import type { Context } from '../../../records/context.ts'
import { AccountExport, type AccountExportRow } from './account_export.ts'

/** How long the address of an archive can be used. */
const HOLDS_SECONDS = 60 * 60
const PURPOSE = 'account export'

/** The name of an archive's bytes in its store. */
export function keyOf({ account_id, id }: Pick<AccountExportRow, 'account_id' | 'id'>): string {
  return `${account_id}/${id}`
}

/** An address at which an archive can be downloaded until an hour from now, by the real time. */
export function downloadUrl({ services, publicUrl, realNow }: Context, id: string): string {
  const expires = Math.floor(Date.parse(realNow) / 1000) + HOLDS_SECONDS
  const signature = services.vault.derive(PURPOSE, signed(id, String(expires)))
  return `${publicUrl}/exports/${id}?expires=${expires}&signature=${signature}`
}

/** Whether the address of an archive was made here and still holds. */
export function mayDownload(
  { services }: Pick<Context, 'services'>,
  id: string,
  { expires, signature }: { expires: string; signature: string },
): boolean {
  if (!AccountExport.isId(id) || !/^\d{1,12}$/.test(expires)) return false
  return services.vault.matches(PURPOSE, signed(id, expires), signature) && Number(expires) * 1000 > Date.now()
}

/** Ids hold no blank, so no other id and moment are the same text. */
function signed(id: string, expires: string): string {
  return `${id} ${expires}`
}
