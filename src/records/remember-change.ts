import type { Noun } from '../contract/declarations/noun.ts'
import { rememberedOf } from '../database/remembered.ts'
import type { Context } from './context.ts'
import { keyOf } from './records.ts'

/**
 * Carries out a change of rows by the database itself, such as a sum, of which it is known what it makes of the rows: those that were read
 * before need not be read again. `made` says what became of the columns of a row.
 */
export async function changeRemembered(
  context: Pick<Context, 'db' | 'accountId'>,
  noun: Noun,
  ids: readonly string[],
  change: () => Promise<void>,
  made: (row: Record<string, unknown>) => Record<string, unknown>,
): Promise<void> {
  const remembered = rememberedOf(context.db)
  const known = [...new Set(ids)].flatMap((id) => {
    const row = remembered?.get(noun.plural, keyOf(context, id))
    return row ? [{ id, row }] : []
  })
  await change()
  for (const { id, row } of known)
    remembered?.put(
      noun.plural,
      keyOf(context, id),
      row.then((raw) => raw && { ...raw, ...made(raw) }),
    )
}
