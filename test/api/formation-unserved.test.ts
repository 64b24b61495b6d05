import { describe, expect, it } from 'vitest'
import { mayPretend } from '../../src/services.ts'
import { readSettings } from '../../src/settings/config.ts'
import { Formations } from '../support/formations.ts'
import { pay } from '../support/sell.ts'
import { type Body, onGateEngine, type Shop } from '../support/shop.ts'

const UNSERVED = /Nobody files formations for live accounts on this service.*Ask whoever runs it/

describe('A live account that nobody files for', () => {
  onGateEngine(
    (service) => {
      const refused = async (path: string, body: object = {}) => {
        const { status, body: answer } = await service.api('POST', path, body)
        return [status, answer.error.code, UNSERVED.test(answer.error.message)]
      }
      const REFUSED = [400, 'invalid_state', true]
      /** As an earlier version left it, whose trial agent served live accounts too. */
      async function left(): Promise<{ formation: string; checkout: string }> {
        const trial = await Formations.open(service)
        const { id: formation, checkout } = await trial.start()
        await service.running.app.database.transaction(async ({ db }) => {
          for (const table of ['formations', 'checkouts'] as const) {
            const moved = db.updateTable(table).set({ account_id: service.accountId })
            await moved.where('account_id', '=', trial.shop.accountId).execute()
          }
        })
        return { formation, checkout }
      }

      it('starts none, and is charged nothing', async () => {
        const { example } = await Formations.open(service)
        expect(await refused('/formations', example)).toEqual(REFUSED)
        expect((await service.get('/formations')).data).toEqual([])
      })

      it('neither pays nor submits one that was begun before', async () => {
        const { formation, checkout } = await left()
        await expect(pay(service, checkout)).rejects.toThrow(UNSERVED)
        expect(await service.get(`/formations/${formation}`)).toMatchObject({ payment_status: 'unpaid' })
        expect(await refused(`/formations/${formation}/retry_payment`)).toEqual(REFUSED)
        expect((await service.get(`/checkouts/${checkout}`)).status).toBe('open')
        await service.set('formations', formation, { status: 'pending', payment_status: 'paid' })
        expect(await refused(`/formations/${formation}/submit`)).toEqual(REFUSED)
      })

      it('may try one out in a test account', async () => {
        const trial = await Formations.open(service)
        const { id } = await trial.startPaid()
        expect((await trial.filed(id)).status).toBe('completed')
      })
    },
    { SIMULATED_PROVIDERS: 'false' },
  )
})

describe('A live account where nobody takes fees', () => {
  onGateEngine(
    (service) => {
      it('is told to ask the operator, since a connection of its own would not help', async () => {
        const { example } = await Formations.open(service)
        const { checkout } = await service.post('/formations', example)
        await expect(pay(service, checkout, {})).rejects.toThrow(/for its fees right now. Ask its operator/)
      })
    },
    { SIMULATED_PROVIDERS: 'false', FILING_AGENT: 'by_hand' },
  )
})

describe('A live account whose formations people file', () => {
  onGateEngine(
    (service) => {
      const begin = async (shop: Shop = service): Promise<Body> => {
        const { example } = await Formations.open(service)
        return shop.post('/formations', example)
      }

      it('pays the fee of the settings, submits, and waits', async () => {
        const { id, checkout, amount } = await begin()
        expect(amount).toBe(45_000)
        await pay(service, checkout, {})
        expect(await service.post(`/formations/${id}/submit`)).toMatchObject({ status: 'submitted', ein: null })
        await service.settled()
        expect((await service.get(`/formations/${id}`)).status).toBe('submitted')
        const open = service.db.selectFrom('jobs').select('name').where('name', '=', 'formation.file')
        expect(await open.where('state', 'in', ['waiting', 'due', 'working']).execute()).toEqual([])
      })
    },
    { FILING_AGENT: 'by_hand', FORMATION_FEE: '45000' },
  )
})

describe('SIMULATED_PROVIDERS', () => {
  it('is on unless in production, where it cannot be turned on', () => {
    expect(mayPretend(readSettings({}))).toBe(true)
    expect(mayPretend(readSettings({ SIMULATED_PROVIDERS: 'false' }))).toBe(false)
    expect(mayPretend(readSettings({ NODE_ENV: 'production' }))).toBe(false)
    expect(() => readSettings({ NODE_ENV: 'production', SIMULATED_PROVIDERS: 'true' })).toThrow(/SIMULATED_PROVIDERS/)
  })
})
