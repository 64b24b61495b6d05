import type { Context } from '../../../records/context.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import type { ExportPart } from './parts.ts'

/** What an export says of itself. */
export async function aboutExport(
  context: Context,
  parts: readonly ExportPart[],
  { atOneMoment }: { atOneMoment: boolean },
): Promise<object> {
  const account = rowsOf(context, 'accounts').select(['id', 'name', 'subdomain']).where('id', '=', context.accountId)
  return {
    account: await account.executeTakeFirstOrThrow(),
    made_at: context.realNow,
    notes: [
      'Each file holds one JSON object a line. Files appear with the addresses of their bytes.',
      'Secrets are left out: values of tokens, signing secrets, passwords and credentials.',
      atOneMoment
        ? 'All rows are of one moment.'
        : 'Every row is as it was when it was written here; the archive is not of one moment.',
    ],
    files: parts.map(({ table }) => `${table}.jsonl`),
  }
}
