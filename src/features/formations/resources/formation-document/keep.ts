import { compileForIds, insertOne } from '../../../../database/compile-once.ts'
import { counted } from '../../../../format/counts.ts'
import { decode } from '../../../../records/columns.ts'
import type { Context } from '../../../../records/context.ts'
import { insertRow } from '../../../../records/records.ts'
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

/** Documents are small, so they are stored in the database. */
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
  const rows = (await ofFormations(db, accountId, formationIds)).map((raw) =>
    decode<FormationDocumentRow>(FormationDocument, raw),
  )
  return Map.groupBy(rows, ({ formation }) => formation)
}
