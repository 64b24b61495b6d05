import { describe, expect, it } from 'vitest'
import { grantCredits } from '../../src/jobs/grant-credits.ts'
import { grantMonth } from '../../src/resources/company/account/credits.ts'
import { onEachEngine } from '../support/shop.ts'

const MONTH = new Date().toISOString().slice(0, 7)

describe('Monthly credits', () => {
  onEachEngine(
    (service) => {
      /** A round of the timer. */
      const round = (month?: string) => {
        const { pipeline, database } = service.running.app
        return grantCredits(
          database,
          (accountId) =>
            pipeline.contexts.part(
              ...([database, { kind: 'job', accountId, jobId: 'job_x' }, [], grantMonth, { inTurn: true }] as const),
            ),
          month,
        )
      }
      const granted = async (accountId: string) => {
        const entries = service.db
          .selectFrom('credit_entries')
          .select(['reference', 'delta', 'balance_after', 'created_at'])
        const own = entries.where('account_id', '=', accountId).where('kind', '=', 'granted')
        return own.orderBy('id').execute()
      }
      const plans = async (accountId: string) =>
        service.db
          .selectFrom('jobs')
          .select('run_at')
          .where('account_id', '=', accountId)
          .where('name', '=', 'credits.grant')
          .where('state', 'in', ['waiting', 'waiting_for_clock', 'due'])
          .execute()

      it('come once a month, however many processes ask, from the month after the account was made', async () => {
        await service.set('accounts', service.accountId, { created_at: '2025-01-15T00:00:00Z', credits_month: null })
        await Promise.all([round(), round(), round()])
        await round()
        expect(await granted(service.accountId)).toMatchObject([{ reference: MONTH, delta: 250, balance_after: 1250 }])
        expect(await plans(service.accountId)).toHaveLength(1)
        const { accountId } = await service.running.another('made-just-now')
        await round()
        expect(await granted(accountId)).toEqual([])
        expect(await plans(accountId)).toHaveLength(1)
      })

      it('come again where a plan was lost', async () => {
        await service.set('accounts', service.accountId, { credits_month: '2025-03' })
        await service.running.app.database.transaction(async ({ db }) => {
          await db.deleteFrom('credit_entries').where('kind', '=', 'granted').execute()
          await db.deleteFrom('jobs').where('name', '=', 'credits.grant').execute()
        })
        await round()
        expect(await granted(service.accountId)).toMatchObject([{ reference: MONTH }])
      })

      it('follow the clock of a test account, each at its own moment', async () => {
        const { accountId } = await service.running.another('ahead', { test: true })
        await round()
        const now = new Date()
        const to = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 3, 2))
        await service.running.app.advanceClock(accountId, to.toISOString().replace('.000', ''))
        await round()
        const months = [1, 2, 3].map((more) =>
          new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + more, 1)).toISOString(),
        )
        expect((await granted(accountId)).map(({ reference, created_at }) => [reference, created_at])).toEqual(
          months.map((first) => [first.slice(0, 7), first.replace('.000', '')]),
        )
      })
    },
    { MONTHLY_CREDITS: '250' },
  )
})
