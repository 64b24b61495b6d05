import type { Context, VaultContext } from '../../../../records/context.ts'
import { requireRow } from '../../../../records/records.ts'
import { rowsOf } from '../../../../records/rows-of.ts'
import { FormationDocument, type FormationDocumentRow } from './formation-document.ts'

const LIFETIME_SECONDS = 60 * 60
const PURPOSE = 'formation document'

/** Returns a URL from which anybody can download the document for an hour of real time. */
export function downloadUrl(context: Context, id: string): string {
  const expires = Math.floor(Date.parse(context.realNow) / 1000) + LIFETIME_SECONDS
  const signature = context.services.vault.derive(PURPOSE, signed(id, String(expires)))
  return `${context.publicUrl}/documents/${id}?expires=${expires}&signature=${signature}`
}

export function mayDownload(
  { services }: VaultContext,
  id: string,
  { expires, signature }: { expires: string; signature: string },
): boolean {
  if (!FormationDocument.isId(id) || !/^\d{1,12}$/.test(expires)) return false
  return services.vault.matches(PURPOSE, signed(id, expires), signature) && Number(expires) * 1000 > Date.now()
}

/** Joins both values with a space. An id contains no space, so no other pair of values gives the same text. */
function signed(id: string, expires: string): string {
  return `${id} ${expires}`
}

export interface Download {
  document: FormationDocumentRow
  content: Uint8Array
}

export async function readDocument(context: Context, id: string): Promise<Download> {
  const document = await requireRow(context, FormationDocument, id)
  const stored = rowsOf(context, 'formation_document_contents').select('base64').where('id', '=', id)
  const { base64 } = await stored.executeTakeFirstOrThrow()
  return { document, content: Buffer.from(base64, 'base64') }
}
