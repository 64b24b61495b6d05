import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { onEngines } from '../support/app.ts'
import { pay } from '../support/sell.ts'
import { decoded, onX402, send, type X402Shop } from '../support/x402-shop.ts'

/** Asks for the approval of the buyer at the bank. */
const SECOND_STEP = '4000002500003155'
const SENDING = 'eth_sendRawTransaction'

/** The payments of a checkout, as they are stored. */
const paymentsOf = ({ shop }: X402Shop, checkout: string) =>
  shop.db.selectFrom('payments').selectAll().where('checkout', '=', checkout).orderBy('id').execute()

/** Waits until something has come about. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await delay(50)
}

/** Lets the jobs of the service with a name be due now. */
const hurry = ({ shop }: X402Shop, name: string) =>
  shop.running.app.database.transaction(({ db }) =>
    db.updateTable('jobs').set({ run_at: '2026-01-01T00:00:00Z' }).where('name', '=', name).execute(),
  )

/** Jobs that failed and are tried again. */
const failedJobs = ({ shop }: X402Shop) => (shop.running.errors as { job: string }[]).map(({ job }) => job)
const forgetFailures = ({ shop }: X402Shop) => shop.running.errors.splice(0)

describe('A payment by x402', () => {
  onX402(onEngines, 'own key', (place) => {
    it('is one of two that meet at a checkout, and leaves the other agent its money', async () => {
      const { id, url, x402 } = await place.checkout()
      const agents = [await place.agent(), await place.agent()]
      const headers = await Promise.all(agents.map((agent) => agent.sign(x402)))
      const before = await place.chain.sentBy(place.settler.address)
      const sending = place.node.hold(SENDING)
      const answers = headers.map((header) => send(url, header))
      await sending.reached
      const refused = await Promise.race(answers)
      sending.release()
      expect([refused.status, refused.body.error]).toEqual([409, expect.stringMatching(/settled\.$/)])
      expect((await Promise.all(answers)).map(({ status }) => status).sort()).toEqual([200, 409])
      const left = await Promise.all(agents.map(({ wallet }) => place.chain.centsOf(wallet.address)))
      expect(left.sort()).toEqual([10_000, 10_000 - 2905].sort())
      expect(await place.chain.sentBy(place.settler.address)).toBe(before + 1)
      expect((await paymentsOf(place, id)).map(({ status }) => status)).toEqual(['succeeded'])
    })

    it('is one payment when it is sent many times at once, and none of another checkout', async () => {
      const [one, other] = [await place.checkout(), await place.checkout()]
      const agent = await place.agent()
      const header = await agent.sign(one.x402)
      const sending = place.node.hold(SENDING)
      const answers = [1, 2, 3, 4].map(() => send(one.url, header))
      await sending.reached
      const elsewhere = await send(other.url, header)
      sending.release()
      expect([elsewhere.status, elsewhere.body.error]).toEqual([
        409,
        'This payment was sent for another checkout already. Sign a new one. Nothing was settled.',
      ])
      const bodies = (await Promise.all(answers)).map(({ status, body }) => [status, body])
      expect(bodies).toEqual(Array(4).fill([200, bodies[0]![1]]))
      expect(await place.chain.centsOf(agent.wallet.address)).toBe(10_000 - 2905)
      expect([await paymentsOf(place, one.id), await paymentsOf(place, other.id)].map((all) => all.length)).toEqual([
        1, 0,
      ])
    })

    it('keeps a card from paying while it is settled, and comes too late while a card pays', async () => {
      const { shop } = place
      const agent = await place.agent()
      const byUsdc = await place.checkout()
      const sending = place.node.hold(SENDING)
      const answer = send(byUsdc.url, await agent.sign(byUsdc.x402))
      await sending.reached
      await expect(pay(shop, byUsdc.id)).rejects.toThrow('This checkout is being paid.')
      expect(await shop.refusal('PATCH', `/checkouts/${byUsdc.id}`, { discount_code: null })).toContain('invalid_state')
      sending.release()
      expect((await answer).status).toBe(200)

      const byCard = await place.checkout()
      const header = await agent.sign(byCard.x402)
      await pay(shop, byCard.id, { card: SECOND_STEP })
      const late = await send(byCard.url, header)
      expect([late.status, late.body.status]).toEqual([409, 'being_paid'])
      expect(await place.chain.centsOf(agent.wallet.address)).toBe(10_000 - 2905)
    })

    it('is found by its nonce when it was made and the answer was lost', async () => {
      const agent = await place.agent()
      const { id, url, x402 } = await place.checkout()
      const before = await place.chain.sentBy(place.settler.address)
      place.node.fail(SENDING, 'lost')
      const { status, body } = await send(url, await agent.sign(x402))
      place.node.recover()
      expect([status, body.payment.payer]).toEqual([200, agent.wallet.address])
      expect(await place.chain.sentBy(place.settler.address)).toBe(before + 1)
      expect((await paymentsOf(place, id)).map((payment) => payment.reference)).toEqual([body.payment.transaction])
    })

    it('is paid by whoever hands it in first', async () => {
      const agent = await place.agent()
      const { url, x402 } = await place.checkout()
      const header = await agent.sign(x402)
      const sending = place.node.hold(SENDING)
      const answer = send(url, header)
      await sending.reached
      const { authorization, signature } = decoded(header).payload
      const { from, to, value, validAfter, validBefore, nonce } = authorization
      const parts = [signature.slice(0, 66), `0x${signature.slice(66, 130)}`]
      const v = Number(`0x${signature.slice(130)}`)
      const args = [from, to, value, validAfter, validBefore, nonce, v, ...parts]
      const transaction = await place.chain.send(place.wallet.account, {
        functionName: 'transferWithAuthorization',
        args,
      })
      sending.release()
      const { status, body } = await answer
      expect([status, body.payment.transaction]).toEqual([200, transaction])
      expect(await place.chain.centsOf(agent.wallet.address)).toBe(10_000 - 2905)
    })
  })
})

describe('A payment by x402 whose outcome is not known', () => {
  onX402(onEngines, 'facilitator', (place) => {
    it('keeps its checkout until it is handed in after all, as after a crash between claim and settlement', async () => {
      const { shop } = place
      const agent = await place.agent()
      const { id: invoice } = await shop.post('/invoices', {
        ...{ email_address: 'agent@example.com', due_at: '2030-01-01T00:00:00Z' },
        price_variant: (await shop.price((await shop.product({ status: 'active' })).id, { amount: 2905 })).id,
      })
      const { id, url, x402 } = await shop.post('/checkouts', { invoice })
      const header = await agent.sign(x402)
      const facilitator = place.facilitator!
      facilitator.mood = 'is down'
      const answer = send(url, header)
      await until(async () => (await paymentsOf(place, id)).length > 0)
      await hurry(place, 'payment.settle')
      await until(async () => failedJobs(place).includes('payment.settle'))
      expect((await paymentsOf(place, id)).map(({ status }) => status)).toEqual(['pending'])
      expect(await shop.refusal('POST', `/invoices/${invoice}/void`)).toContain('invalid_state')
      await expect(pay(shop, id)).rejects.toThrow('This checkout is being paid.')
      expect((await send(url)).body.status).toBe('being_paid')
      facilitator.mood = 'works'
      const settled = await answer
      expect([settled.status, settled.settlement?.success]).toEqual([200, true])
      expect(await place.chain.centsOf(agent.wallet.address)).toBe(10_000 - 2905)
      expect((await shop.get(`/invoices/${invoice}`)).status).toBe('paid')
      forgetFailures(place)
    })

    it('is looked up when the facilitator settled it and its answer was lost', async () => {
      const facilitator = place.facilitator!
      const agent = await place.agent()
      const { url, x402 } = await place.checkout()
      facilitator.requests.length = 0
      facilitator.mood = 'loses the answer'
      const { status, settlement } = await send(url, await agent.sign(x402))
      facilitator.mood = 'works'
      expect([status, settlement.success]).toEqual([200, true])
      expect(facilitator.requests).toEqual(['POST /facilitator/verify', 'POST /facilitator/settle'])
      forgetFailures(place)
      expect(await place.chain.centsOf(agent.wallet.address)).toBe(10_000 - 2905)
    })

    it('ends at once when the facilitator refuses it, and the checkout can be paid again', async () => {
      const { shop } = place
      const facilitator = place.facilitator!
      const agent = await place.agent()
      const { id, url, x402 } = await place.checkout()
      const header = await agent.sign(x402)
      facilitator.mood = 'refuses'
      const refused = await send(url, header)
      facilitator.mood = 'works'
      expect([refused.status, refused.body.code, refused.settlement.success]).toEqual([402, 'settlement_failed', false])
      expect(refused.body.error).toContain('policy_refused')
      const again = await send(url, header)
      expect([again.status, again.body]).toEqual([402, refused.body])
      expect((await agent.pay(url)).status).toBe(200)
      expect((await paymentsOf(place, id)).map(({ status }) => status)).toEqual(['failed', 'succeeded'])

      // Somebody hands the refused one in all the same: the shop is told where the money is from.
      const { authorization, signature } = decoded(header).payload
      const { from, to, value, validAfter, validBefore, nonce } = authorization
      const parts = [signature.slice(0, 66), `0x${signature.slice(66, 130)}`]
      const args = [from, to, value, validAfter, validBefore, nonce, Number(`0x${signature.slice(130)}`), ...parts]
      await place.chain.send(place.wallet.account, { functionName: 'transferWithAuthorization', args })
      await hurry(place, 'payment.look_again')
      await until(async () => (await paymentsOf(place, id))[0]!.status === 'late')
      const charges = await shop.db
        .selectFrom('charges')
        .selectAll()
        .where('payer', '=', agent.wallet.address)
        .execute()
      const late = charges.filter(({ failure_message }) => failure_message?.includes('given up'))
      expect(late.map(({ status, amount }) => [status, amount])).toEqual([['failed', 2905]])
    })

    it('ends when its time is over and it was never made, and not before', async () => {
      const facilitator = place.facilitator!
      const agent = await place.agent()
      const { id, url, x402 } = await place.checkout()
      facilitator.mood = 'is down'
      const answer = send(url, await agent.sign(x402))
      await until(async () => (await paymentsOf(place, id)).length > 0)
      await until(async () => facilitator.requests.filter((one) => one.endsWith('/settle')).length > 2)
      expect((await paymentsOf(place, id)).map(({ status }) => status)).toEqual(['pending'])
      await place.chain.pass(400)
      const { status, body } = await answer
      facilitator.mood = 'works'
      expect([status, body.error]).toEqual([402, 'The transfer was not made before its time was over. No money moved.'])
      expect((await paymentsOf(place, id)).map((payment) => payment.status)).toEqual(['failed'])
      expect(await place.chain.centsOf(agent.wallet.address)).toBe(10_000)
      forgetFailures(place)
      expect((await pay(place.shop, id)).status).toBe('complete')
    })
  })
})
