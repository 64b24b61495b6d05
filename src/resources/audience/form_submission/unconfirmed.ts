import { sql } from 'kysely'
import { invalid } from '../../../contract/declarations/errors.ts'
import { laterBy } from '../../../contract/values/values.ts'
import type { Context } from '../../../records/context.ts'
import { rowsOf } from '../../../records/rows-of.ts'

/** Messages that ask one address for a confirmation: a form must not be a way to flood somebody else's inbox. */
const MOST_UNCONFIRMED = 5
const WITHIN_MS = 60 * 60 * 1000

/** Throws a 422 when an address was asked so often that more messages would be a nuisance. */
export async function requireFewUnconfirmed(context: Context, email: string | null): Promise<void> {
  const { count } = await rowsOf(context, 'form_submissions')
    .where('email', '=', email)
    .where('confirmed', '=', 0)
    .where('created_at', '>', laterBy(context.now, -WITHIN_MS))
    .select(sql<number>`count(*)`.as('count'))
    .executeTakeFirstOrThrow()
  if (Number(count) >= MOST_UNCONFIRMED)
    throw invalid({ email: ['was sent several confirmation requests within an hour; confirm one, or wait'] })
}
