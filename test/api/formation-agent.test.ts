import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { trialAgent } from '../../src/features/formations/providers/trial/trial.ts'
import { Formations } from '../support/formations.ts'
import { pay } from '../support/sell.ts'
import { type Body, onGateEngine, type Shop } from '../support/shop.ts'

describe('The filing of a formation', () => {
  onGateEngine((service) => {
    let formations: Formations
    let shop: Shop
    let example: Body

    beforeEach(async () => {
      formations = await Formations.open(service)
      ;({ shop, example } = formations)
    })
    afterEach(() => {
      vi.restoreAllMocks()
    })

    const formation = (id: string) => formations.get(id)
    const submit = (id: string) => formations.act(id, 'submit')
    const startPaid = (values?: object) => formations.startPaid(values)
    async function until(id: string, status: string): Promise<Body> {
      let found = await formation(id)
      for (; found.status !== status; found = await formation(id)) await delay(50)
      return found
    }
    /** The failures that were logged, which this suite brings about. */
    const failures = () => service.running.errors.splice(0)
    const waitingJob = () =>
      service.db.selectFrom('jobs').select('id').where('name', '=', 'formation.file').where('state', '=', 'waiting')

    it('goes on with the same key when the agent could not be reached', async () => {
      const file = vi.spyOn(trialAgent, 'file').mockRejectedValueOnce(new Error('The line is dead'))
      const { id } = await startPaid()
      await submit(id)
      await until(id, 'completed')
      expect(failures()).toHaveLength(1)
      const keys = file.mock.calls.map(([{ key }]) => key)
      expect([keys.length, new Set(keys).size]).toEqual([2, 1])
      expect((await shop.get(`/formation_documents?formation=${id}`)).data).toHaveLength(3)
    })

    it('fails when the agent cannot be reached for two days, and can be submitted anew', async () => {
      const file = vi.spyOn(trialAgent, 'file').mockRejectedValue(new Error('The line is dead'))
      const { id } = await startPaid()
      await submit(id)
      await service.settled()
      const job = await waitingJob().executeTakeFirstOrThrow()
      await service.set('jobs', job.id, { attempts: 59, run_at: '2026-01-01T00:00:00Z' })
      expect(await until(id, 'failed')).toMatchObject({
        payment_status: 'paid',
        provider_error: 'The filing agent could not be reached. Submit the formation again later.',
      })
      expect(failures()).toHaveLength(1)
      file.mockRestore()
      expect((await submit(id)).provider_error).toBeNull()
      await until(id, 'completed')
    })

    it('ignores an answer to an earlier submission', async () => {
      const late = Promise.withResolvers<void>()
      const file = vi.spyOn(trialAgent, 'file').mockImplementationOnce(async () => {
        await late.promise
        return { state: 'failed', message: 'Too late.' }
      })
      const { id } = await startPaid()
      await submit(id)
      await vi.waitFor(() => expect(file).toHaveBeenCalledOnce())
      await service.set('formations', id, { status: 'failed' })
      await submit(id)
      const done = await until(id, 'completed')
      late.resolve()
      await service.settled()
      expect(await formation(id)).toEqual(done)
    })

    it('begins without a payment where the agent charges nothing', async () => {
      vi.spyOn(trialAgent, 'priceOf').mockReturnValue({ amount: 0, currency: 'usd' })
      const free = await shop.post('/formations', example)
      expect(free).toMatchObject({ status: 'pending', payment_status: 'paid', checkout_url: null, amount: 0 })
      expect(await shop.refusal('POST', `/formations/${free.id}/retry_payment`)).toEqual([400, 'invalid_state'])
      await submit(free.id)
      await until(free.id, 'completed')
    })

    it('is paid once, or not at all, when it is paid while its payment is retried', async () => {
      for (let round = 0; round < 8; round++) {
        const { id, checkout } = await shop.post('/formations', example)
        const [paid, retried] = await Promise.all([
          pay(shop, checkout).then(
            () => true,
            () => false,
          ),
          shop.api('POST', `/formations/${id}/retry_payment`).then(({ status }) => status === 200),
        ])
        expect([paid, retried].filter(Boolean)).toHaveLength(1)
        const now = await formation(id)
        const status = async (one: string) => (await shop.get(`/checkouts/${one}`)).status
        if (paid) expect([now.payment_status, now.checkout]).toEqual(['paid', checkout])
        else {
          expect([now.payment_status, await status(checkout)]).toEqual(['unpaid', 'abandoned'])
          expect(await status(now.checkout)).toBe('open')
          await pay(shop, now.checkout)
        }
        expect(await formation(id)).toMatchObject({ status: 'pending', payment_status: 'paid', checkout_url: null })
      }
      expect(await shop.listed('/formations?payment_status=paid')).toHaveLength(8)
    })
  })
})
