import { compileForIds } from '../../../database/compile-once.ts'
import { decode } from '../../../records/columns.ts'
import type { Context } from '../../../records/context.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { FormationDocument, type FormationDocumentRow } from './formation_document.ts'

/** The documents of formations, by the formation, the oldest first. */
export async function documentsByFormation(
  formationIds: string[],
  { db, accountId }: Context,
): Promise<Map<string, FormationDocumentRow[]>> {
  const rows = (await ofFormations(db, accountId, formationIds)).map((raw) =>
    decode<FormationDocumentRow>(FormationDocument, raw),
  )
  return Map.groupBy(rows, ({ formation }) => formation)
}

const ofFormations = compileForIds((db: Context['db'], accountId, formationIds) =>
  rowsOf({ db, accountId }, 'formation_documents')
    .selectAll()
    .where('formation', 'in', formationIds)
    .orderBy('formation')
    .orderBy('id'),
)
