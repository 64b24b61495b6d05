import { beforeAll, describe, expect, it } from 'vitest'
import { fieldsOf, type Person, signIn } from '../support/person.ts'
import { type Body, onGateEngine } from '../support/shop.ts'
import { connected, received } from '../support/social.ts'
import { words } from '../support/words.ts'

const BASE = '/dashboard/my-shop'

describe('What a person does with several rows of a list', () => {
  onGateEngine((shop) => {
    let person: Person
    let customers: Body[]

    beforeAll(async () => {
      person = await signIn(shop.running)
      customers = await Promise.all(['Ada', 'Grace', 'Ines'].map((name) => shop.customer({ name })))
      await shop.post(`/customers/${customers[0]!.id}/tags`, { tags: ['VIP'] })
    })

    const choose = async (list: string, fields: Record<string, string>, chosen = customers) => {
      const { html } = await person.get(`${BASE}/${list}`)
      const path = `${BASE}/${list.split('?')[0]}/bulk`
      const form = new URLSearchParams({ ...fieldsOf(html, path), ...fields })
      form.delete('chosen')
      for (const { id } of chosen) form.append('chosen', id)
      return (await person.postForm(path, form)).location!
    }

    it('is put in plain words, without a word of agents, and leads back to the list with what was done', async () => {
      const plan = await choose('customers?sort=-total_spend', { do: 'tag', 'with-tag': 'VIP' })
      const { html } = await person.get(plan)
      const page = words(html)
      expect(page).toContain('Add tag “VIP”: 3 customers')
      expect(page).toContain('You chose 3 customers. 2 get the tag “VIP”; 1 has it already. Nothing has changed yet.')
      expect(page).not.toContain('The agent sees')
      expect(page).not.toContain('With the rights of')
      expect(html).toContain('<button class="primary">Apply</button>')
      expect(html).toContain(`<a href="${BASE}/customers?sort=-total_spend">Customers</a>`)
      const { location } = await person.submit(plan, {}, `${plan}/apply`)
      expect(location).toBe(`${BASE}/customers?sort=-total_spend&done=applied`)
      expect(words((await person.get(location!)).html)).toContain('2 customers got the tag “VIP”. 1 had it already.')
      const { data } = await shop.get('/customers?tag=VIP')
      expect(data.map(({ id }: Body) => id).toSorted()).toEqual(customers.map(({ id }) => id).toSorted())
    })

    it('deletes comments only where their network lets it, and names those that it does not', async () => {
      const [x, facebook] = [await connected(shop), await connected(shop, { platform: 'facebook' })]
      const [kept, gone] = [await received(shop, x), await received(shop, facebook)]
      await shop.set('social_comments', kept, { content: 'Said on X' })
      const buttons = async (account: Body) => {
        const { html } = await person.get(`${BASE}/social_comments?social_account=${account.id}`)
        return [...html.matchAll(/name="do" value="(\w+)"/g)].map(([, name]) => name)
      }
      expect(await buttons(x)).toEqual(['export'])
      expect(await buttons(facebook)).toEqual(['delete', 'export'])
      const list = `${BASE}/social_comments`
      const send = async (chosen: string[]) => {
        const form = new URLSearchParams({ ...fieldsOf((await person.get(list)).html, `${list}/bulk`), do: 'delete' })
        form.delete('chosen')
        for (const id of chosen) form.append('chosen', id)
        return person.postForm(`${list}/bulk`, form)
      }
      const refused = await send([kept, gone])
      expect([refused.status, words(refused.html)]).toEqual([
        422,
        expect.stringContaining('“Said on X” cannot be deleted. Open one to see what can be done with it.'),
      ])
      const { location } = await send([gone])
      expect(words((await person.get(location!)).html)).toContain(
        '1 social comment is deleted. Nothing has changed yet.',
      )
      await person.submit(location!, {}, `${location}/apply`)
      expect(await shop.listed('/social_comments')).toEqual([kept])
    })

    it('is left as it is by Cancel', async () => {
      const plan = await choose('customers', { do: 'delete' }, customers.slice(0, 1))
      expect(words((await person.get(plan)).html)).toContain('1 customer is deleted. Nothing has changed yet.')
      const { html } = await person.get(plan)
      const { location } = await person.post(`${plan}/reject`, fieldsOf(html, `${plan}/apply`))
      expect(location).toBe(`${BASE}/customers?done=rejected`)
      expect(words((await person.get(location!)).html)).toContain('Nothing was changed.')
      expect((await shop.get(`/customers/${customers[0]!.id}`)).id).toBe(customers[0]!.id)
    })

    it('is said of programs by people alone: a token with the same program is an agent', async () => {
      const plan = await choose('customers', { do: 'tag', 'with-tag': 'Kin' })
      await shop.set('program_plans', plan.split('/').at(-1)!, { caller_kind: 'token' })
      const page = words((await person.get(plan)).html)
      expect(page).toContain('3 customers are changed')
      expect(page).toContain('The agent sees the note')
    })

    it('can be told apart by tag in the list of customers, which shows them', async () => {
      const other = await shop.customer({ name: 'Nobody special' })
      const { html } = await person.get(`${BASE}/customers`)
      expect(html).toMatch(/<select id="f-tag" name="tag"><option value="">Any<\/option><option value="VIP">VIP</)
      expect(html).toContain('<span class="badge plain">VIP</span>')
      const narrowed = await person.get(`${BASE}/customers?tag=VIP`)
      expect(narrowed.html).toContain('<option value="VIP" selected>VIP</option>')
      expect(narrowed.html).toContain(customers[1]!.id)
      expect(narrowed.html).not.toContain(other.id)
    })
  })
})
