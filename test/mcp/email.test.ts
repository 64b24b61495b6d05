import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { gateEngines } from '../support/app.ts'
import { type Agent, startAgent } from './agent.ts'

const sending = (mark: string) => `customer = post("/customers", email: "${mark}@example.com")
post("/emails", customer: customer["id"], subject: "${mark}", text: "Hello")["status"]`

for (const { name: engine, available } of gateEngines) {
  describe.skipIf(!available)(`E-mails of programs on ${engine}`, () => {
    let agent: Agent
    beforeAll(async () => {
      agent = await startAgent({ engine })
    })
    afterAll(() => agent.close())

    const emails = () => agent.app.app.database.read.selectFrom('emails').select(['id', 'subject', 'status']).execute()
    const files = () => readdir(join(agent.app.dataDirectory, 'outbox')).catch(() => [])
    const of = async (mark: string) => (await emails()).filter(({ subject }) => subject === mark)

    it('are queued until the commit, and then sent', async () => {
      const { structuredContent } = await agent.execute(sending('committed'))
      expect(structuredContent).toMatchObject({ result: 'queued' })
      while ((await of('committed'))[0]?.status !== 'sent') await delay(10)
      expect(await files()).toEqual([`${(await of('committed'))[0]!.id}.eml`])
    })

    it('are shown by a dry run, which sends none', async () => {
      const before = await files()
      const { structuredContent } = await agent.execute(`# dry_run: true\n${sending('dry')}`)
      expect(structuredContent).toMatchObject({
        changes: { 'email.created': { count: 1, samples: [{ to: 'dry@example.com', subject: 'dry' }] } },
      })
      expect([await of('dry'), await files()]).toEqual([[], before])
    })

    it('are sent when the plan of a dry run is applied', async () => {
      const { structuredContent } = await agent.execute(`# dry_run: true\n${sending('planned')}`)
      const applied = await agent.execute(`# apply: ${structuredContent.plan}`)
      expect(applied.isError).toBeFalsy()
      while ((await of('planned'))[0]?.status !== 'sent') await delay(10)
    })

    it('are gone with a program that is rolled back', async () => {
      const before = await files()
      const { isError } = await agent.execute(`${sending('undone')}\nraise "On second thoughts"`)
      expect([isError, await of('undone'), await files()]).toEqual([true, [], before])
    })

    it('are refused to more than the customers of the account', async () => {
      const { structuredContent } = await agent.execute(
        'post("/emails", to: "nobody@example.com", subject: "x", text: "x")["error"]["errors"]',
      )
      expect(structuredContent.result).toEqual({ to: ['is not the address of a customer of this account'] })
    })
  })
}
