import type { Context } from '../../../../records/context.ts'
import { readOnce } from '../../../../records/read-once.ts'

/** Whether the service has no other live account. */
export async function isOnlyLiveAccount({ db, accountId }: Pick<Context, 'db' | 'accountId'>): Promise<boolean> {
  const question = { name: 'live accounts', tables: ['accounts'] as const }
  const live = db.selectFrom('accounts').select('id').where('test', '=', 0).limit(2)
  const [first, second] = await readOnce({ db }, question, () => live.execute())
  return first?.id === accountId && second === undefined
}
