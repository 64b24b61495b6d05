import type { Context } from '../../../records/context.ts'
import { AccountExport, type AccountExportRow } from './account-export.ts'

const LIFETIME_SECONDS = 60 * 60
const PURPOSE = 'account export'

/** Returns the file store key of an archive. */
export function archiveKey({ account_id, id }: Pick<AccountExportRow, 'account_id' | 'id'>): string {
  return `${account_id}/${id}`
}

/** Returns a URL from which anybody can download the archive for an hour of real time. */
export function downloadUrl({ services, publicUrl, realNow }: Context, id: string): string {
  const expires = Math.floor(Date.parse(realNow) / 1000) + LIFETIME_SECONDS
  const signature = services.vault.derive(PURPOSE, signed(id, String(expires)))
  return `${publicUrl}/exports/${id}?expires=${expires}&signature=${signature}`
}

export function mayDownload(
  { services }: Pick<Context, 'services'>,
  id: string,
  { expires, signature }: { expires: string; signature: string },
): boolean {
  if (!AccountExport.isId(id) || !/^\d{1,12}$/.test(expires)) return false
  return services.vault.matches(PURPOSE, signed(id, expires), signature) && Number(expires) * 1000 > Date.now()
}

/** Joins both values with a space. An id contains no space, so no other pair of values gives the same text. */
function signed(id: string, expires: string): string {
  return `${id} ${expires}`
}
