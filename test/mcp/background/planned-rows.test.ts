import { describe, expect, it } from 'vitest'
import { agentRuns, dashboardOf, ownerOf, tokenOf } from '../../dashboard/operations/visitor.ts'
import { type Body, onEachEngine } from '../../support/shop.ts'

const OPEN_PLANS = 100

describe('The rows of a plan that goes on in the background', () => {
  onEachEngine((shop) => {
    const code =
      '# background: true\neach_batch(list("/tags"), of: 1) { |rows| patch("/tags/#{rows[0]["id"]}", name: rows[0]["name"] + "!") }'
    const kept = async () => {
      const programs = await shop.db.selectFrom('background_programs').select('plan').execute()
      const rows = await shop.db.selectFrom('background_rows').select('program_id').execute()
      return { plans: programs.map(({ plan }) => plan), rows: rows.length }
    }

    it('go with it when it is made again, and when others take its place', async () => {
      for (const name of ['one', 'two']) await shop.tag({ name })
      const token = await tokenOf(shop, ownerOf(shop), 'propose')
      const run = (text: string): Promise<Body> => agentRuns(shop, token, text)
      const { plan } = await run(code)
      expect(await kept()).toEqual({ plans: [plan], rows: 1 })
      const again = await dashboardOf(shop, ownerOf(shop))('POST', `/plans/${plan}/again`)
      const next = again.body.answer.plan
      expect(next).not.toBe(plan)
      expect(await kept()).toEqual({ plans: [next], rows: 1 })
      // The plan that takes its place is still its maker's, and so is what it begins.
      const applied = await dashboardOf(shop, ownerOf(shop))('POST', `/plans/${next}/apply`)
      expect(applied.body.failed).toBe(false)
      const begun = shop.db.selectFrom('background_programs').select('id').where('plan', '=', next)
      const { id } = await begun.executeTakeFirstOrThrow()
      expect((await run(`# status: ${id}`)).result).toMatchObject({ background: id, plan: next })
      await shop.settled()
      const last = (await run(code)).plan
      expect((await kept()).plans).toContain(last)
      for (let made = 0; made < OPEN_PLANS; made++) await run(`post("/tags", name: "other ${made}")["id"]`)
      expect(await kept()).toEqual({ plans: [next], rows: 0 })
    })
  })
})
