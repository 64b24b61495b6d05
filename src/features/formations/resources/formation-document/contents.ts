import { compileForIds, insertOne } from '../../../../database/compile-once.ts'
import { counted } from '../../../../format/counts.ts'
import { decode } from '../../../../records/columns.ts'
import type { Context } from '../../../../records/context.ts'
import { insertRow, requireRow } from '../../../../records/records.ts'
import { rowsOf } from '../../../../records/rows-of.ts'
import type { FiledDocument } from '../../providers/provider.ts'
import { FormationDocument, type FormationDocumentRow } from './formation-document.ts'

const ofFormations = compileForIds((db: Context['db'], accountId, formationIds) =>
  rowsOf({ db, accountId }, 'formation_documents')
    .selectAll()
    .where('formation', 'in', formationIds)
    .orderBy('formation')
    .orderBy('id'),
)

/** The maximum size of a document. Documents are stored in the database, because they are small. */
export const MAX_DOCUMENT_BYTES = 5_000_000

/** Stores a document from the filing agent, with its bytes in a separate table, because lists must not read them. */
export async function keepDocument(context: Context, formation: string, document: FiledDocument): Promise<void> {
  const { document_type, name, content_type, content } = document
  if (content.length > MAX_DOCUMENT_BYTES)
    throw new Error(`The document ${name} has ${counted(content.length, 'byte')}`)
  const { id } = await insertRow(context, FormationDocument, {
    ...{ formation, document_type, name, content_type },
    size: content.length,
  })
  const base64 = Buffer.from(content).toString('base64')
  await insertOne(context.db, 'formation_document_contents', { account_id: context.accountId, id, base64 })
}

export async function documentsByFormation(
  formationIds: string[],
  { db, accountId }: Context,
): Promise<Map<string, FormationDocumentRow[]>> {
  const rows = (await ofFormations(db, accountId, formationIds)).map((raw) => decode(FormationDocument, raw))
  return Map.groupBy(rows, ({ formation }) => formation)
}

const LIFETIME_SECONDS = 60 * 60
const PURPOSE = 'formation document'

type VaultContext = Pick<Context, 'services'>

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
