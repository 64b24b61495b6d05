import { insertOne } from '../../../database/compile-once.ts'
import type { FiledDocument } from '../../../outside/filing/provider.ts'
import type { Context } from '../../../records/context.ts'
import { insertRow } from '../../../records/records.ts'
import { counted } from '../../../words/counts.ts'
import { FormationDocument } from './formation_document.ts'

/** Bytes of one document: papers are small, and lie in the database with all that they belong to. */
export const MAX_DOCUMENT_BYTES = 5_000_000

/** Stores a document of the filing agent. Its bytes have a table of their own, so that lists do not read them. */
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
