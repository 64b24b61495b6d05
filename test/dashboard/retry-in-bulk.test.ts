import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ownerOf } from '../support/dashboard.ts'
import { type Person, signIn } from '../support/person.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { rehearse } from '../support/rehearsal.ts'
import { type Body, onEachEngine, type Shop } from '../support/shop.ts'
import { words } from '../support/words.ts'
import { execute } from '../tasks/support.ts'

const FAILS_AT_RENEWAL = '4000000000000341'
const SUCCEEDS = JSON.stringify({ token: 'succeeds' })

async function ownerPages(shop: Shop) {
  const { caller } = await ownerOf(shop)
  const person = await signIn(shop.running, caller.userId)
  return { person, base: `/dashboard/${(await shop.get('/account')).subdomain}` }
}

/** Chooses rows on a page, and sends its bar. */
async function choose(person: Person, page: string, chosen: readonly string[], name: string) {
  const { html } = await person.get(page)
  const [, action] = /<form class="bulk" id="bulk" method="post" action="([^"]+)"/.exec(html) ?? []
  const boxes = [...html.matchAll(/name="chosen" value="([^"]+)"/g)].map(([, id]) => id)
  expect(boxes).toEqual(expect.arrayContaining([...chosen]))
  const form = new URLSearchParams(chosen.map((id) => ['chosen', id]))
  for (const field of ['csrf', 'back']) {
    const bar = html.slice(html.indexOf('<form class="bulk"'))
    form.set(field, new RegExp(`name="${field}" value="([^"]+)"`).exec(bar)![1]!)
  }
  form.set('do', name)
  return person.postForm(action!, form)
}

describe('Trying again with several at once', () => {
  onEachEngine(
    (shop) => {
      let receiver: Receiver
      beforeAll(async () => {
        receiver = await startReceiver()
      })
      afterAll(() => receiver.close())

      it('sends the deliveries that were chosen, once their plan is applied', { timeout: 60_000 }, async () => {
        const owner = await ownerOf(shop)
        receiver.answers.set('/down', 500)
        const endpoint = await shop.post('/webhook_endpoints', {
          url: `${receiver.url}/down`,
          enabled_events: ['tag.created'],
        })
        for (let count = 0; count < 3; count++) await shop.tag()
        const query = { webhook_endpoint: endpoint.id }
        const all = async (): Promise<Body[]> => (await owner.get('/webhook_events', query)).data
        const statuses = async () => (await all()).map(({ status }) => status)
        await expect.poll(statuses, { timeout: 20_000 }).toEqual(['failed', 'failed', 'failed'])
        receiver.answers.set('/down', 200)
        const [first, second] = (await all()).map(({ id }) => id)
        const person = await signIn(shop.running)
        const page = `/dashboard/my-shop/developers/webhooks/${endpoint.id}`
        const { status, location } = await choose(person, page, [first, second], 'resend')
        expect([status, location]).toEqual([303, expect.stringMatching(/\/plans\/plan_/)])
        expect(await statuses()).toEqual(['failed', 'failed', 'failed'])
        expect(words((await person.get(location!)).html)).toContain('2 webhook events are changed')
        await person.submit(location!, {}, `${location}/apply`)
        await expect.poll(statuses, { timeout: 20_000 }).toEqual(['delivered', 'delivered', 'failed'])
        const logged = (await owner.get('/log_entries')).data.map(({ kind }: Body) => kind)
        expect(logged).toContain('program')
      })

      it('charges the subscriptions that were chosen on Recover, and says before how much', async () => {
        const life = await rehearse(shop)
        const [one, other] = [
          await life.subscribe({ amount: 1000 }, { card: FAILS_AT_RENEWAL }),
          await life.subscribe({ amount: 2000 }, { card: FAILS_AT_RENEWAL }),
        ]
        await life.past(other.current_period_end)
        for (const { id } of [one, other]) await life.shop.set('subscriptions', id, { method: SUCCEEDS })
        const { person, base } = await ownerPages(life.shop)
        const statuses = () => Promise.all([one, other].map(async ({ id }) => (await life.subscription(id)).status))
        const { status, location } = await choose(person, `${base}/recover`, [one.id, other.id], 'charge')
        expect([status, location, await statuses()]).toEqual([
          303,
          expect.stringMatching(/\/plans\/plan_/),
          ['past_due', 'past_due'],
        ])
        await person.submit(location!, {}, `${location}/apply`)
        await life.shop.settled()
        expect(await statuses()).toEqual(['active', 'active'])
        const paid = (await life.orders(one.id)).filter(({ recovered_by }) => recovered_by === 'charge_now')
        expect(paid).toMatchObject([{ status: 'succeeded' }])
        const again = await choose(person, `${base}/subscriptions`, [one.id], 'charge')
        expect([again.status, words(again.html)]).toEqual([409, expect.stringContaining('Nothing was changed')])
      })

      it('is for programs by a word each, which takes an id, and for nobody by a path', async () => {
        const wrong = await execute(shop, 'resend(7)')
        expect(wrong.error).toMatchObject({ line: 1, message: expect.stringContaining('needs an id, not Integer') })
        for (const call of [
          'resend("whev_01k9z6v8q2f3x7c5m1n4b0r8ta")',
          'charge_now("sub_01k9z6v8q2f3x7c5m1n4b0r8ta")',
        ])
          expect((await execute(shop, `${call}["error"]["code"]`)).result).toBe('resource_missing')
        const path = 'path = "/payment_attempts"\npost(path, subscription: "sub_1")["error"]["code"]'
        expect(await execute(shop, path)).toMatchObject({ result: 'resource_missing' })
        expect((await execute(shop, 'resend("../products")["error"]["code"]')).result).toBe('resource_missing')
      })
    },
    { WEBHOOK_RETRY_GAPS: '1' },
  )
})
