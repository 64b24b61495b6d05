import { describe, expect, it } from 'vitest'
import { rehearse } from '../support/rehearsal.ts'
import { onEachEngine, type Shop } from '../support/shop.ts'
import { execute, owner } from '../tasks/support.ts'

describe('Local time in programs', () => {
  onEachEngine((shop) => {
    const resultOf = async (program: string, of: Shop = shop) => {
      const body = await execute(of, program)
      expect(body).not.toHaveProperty('error')
      return body.result
    }

    it('is that of the account, also of one that the program has changed', async () => {
      expect(await resultOf('local("2026-11-30 09:00")')).toBe('2026-11-30T09:00:00Z')
      await shop.patch('/account', { timezone: 'America/New_York' })
      expect(await resultOf('local("2026-11-30 09:00")')).toBe('2026-11-30T14:00:00Z')
      const moved = '# dry_run: true\npatch("/account", timezone: "Asia/Tokyo"); local("2026-11-30 09:00")'
      expect(await resultOf(moved)).toBe('2026-11-30T00:00:00Z')
      expect(await resultOf('in_zone("2026-11-30T14:00:00Z").hour')).toBe(9)
    })

    it('goes into bodies and filters, at whose ends a row is in one period alone', async () => {
      const { id } = await shop.post('/tags', { name: 'Dated' })
      const made = '2026-11-01T04:00:00Z' // Midnight in New York, on the day on which clocks go back.
      await shop.running.app.database.transaction(({ db }) =>
        db
          .updateTable('tags')
          .set({ created_at: made })
          .where('account_id', '=', shop.accountId)
          .where('id', '=', id)
          .execute(),
      )
      const found = await resultOf(`
        [month("2026-10"), month("2026-11"), day("2026-10-31"), day("2026-11-01"), week("2026-10-26"), year(2026)].map do |period|
          list("/tags", created_at: period).map { |tag| tag["name"] } + [period.cover?(get("/tags/${id}")["created_at"])]
        end`)
      expect(found).toEqual([[false], ['Dated', true], [false], ['Dated', true], ['Dated', true], ['Dated', true]])
      const task = await resultOf(
        'post("/tasks", name: "At nine", prompt: "Greet.", trigger_type: "schedule", scheduled_at: local("2035-07-01 09:00"))["scheduled_at"]',
      )
      expect(task).toBe('2035-07-01T13:00:00Z')
    })

    it('follows the clock of a test account, and Time.now with it', async () => {
      const { shop: test } = await rehearse(shop, '2035-01-31T10:00:00Z')
      const caller = { kind: 'session', sessionId: 'tests', ...(await owner(shop)), accountId: test.accountId } as const
      const program = '[Time.now.iso8601, Date.today, month.to_s, post("/tags", name: "Now")["created_at"]]'
      const { body } = await test.running.app.mcp.execute(caller, program)
      const [now, today, month, made] = body.result as string[]
      expect(now).toMatch(/^2035-01-31T10:/)
      expect([today, month]).toEqual(['2035-01-31', '2035-01-01T00:00:00Z...2035-02-01T00:00:00Z'])
      expect(Math.abs(Date.parse(now!) - Date.parse(made!))).toBeLessThan(30_000)
      expect(Math.abs(Date.parse(await resultOf('Time.now.iso8601')) - Date.now())).toBeLessThan(30_000)
    })
  })
})
