import { sql } from 'kysely'
import type { Context } from '../../../records/context.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { bytesInWords } from '../../../words/sizes.ts'

/** Bytes that the files and the sites of one account may take together: some hundred hours of course videos. */
const ACCOUNT_BYTES = 50_000_000_000

export const QUOTA_FULL = `The account’s files would exceed ${bytesInWords(ACCOUNT_BYTES)}.`

/** Whether so many more bytes fit, with those of sites. `except` is a file whose own bytes do not count. */
export async function fits(context: Pick<Context, 'db' | 'accountId'>, bytes: number, except = ''): Promise<boolean> {
  const { total } = await rowsOf(context, 'files')
    .where('id', '!=', except)
    .select(sql<number | string | null>`sum(stored_bytes)`.as('total'))
    .executeTakeFirstOrThrow()
  const sites = rowsOf(context, 'site_files').select(sql<number | string | null>`sum(size)`.as('total'))
  const { total: ofSites } = await sites.executeTakeFirstOrThrow()
  return Number(total ?? 0) + Number(ofSites ?? 0) + bytes <= ACCOUNT_BYTES
}
