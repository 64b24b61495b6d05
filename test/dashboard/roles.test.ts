import { Parser } from 'htmlparser2'
import { beforeAll, describe, expect, it } from 'vitest'
import { ROLES } from '../../src/contract/declarations/caller.ts'
import { addMember } from '../../src/resources/company/account/life/members.ts'
import { type Person, signIn } from '../support/person.ts'
import { priceForSale, sell } from '../support/sell.ts'
import { onGateEngine } from '../support/shop.ts'

const BASE = '/dashboard/my-shop'
const REFUSED = /This requires (the role|one of the roles)/
/** Pages of one role: further ones show nothing new. */
const MOST_PAGES = 220

describe('Pages for each role', () => {
  onGateEngine((shop) => {
    beforeAll(async () => {
      await signIn(shop.running)
      const { id: price } = await priceForSale(shop)
      const { id: order } = await sell(shop, [{ price_variant: price }])
      await shop.post('/refunds', { order, amount: 1 })
      const product = await shop.product({ status: 'active' })
      await shop.review(product.id)
      await shop.discount()
      await shop.tag()
      await shop.experience()
      await shop.blogPost()
      await shop.post('/forms', { name: 'Leads', fields: [{ key: 'email', type: 'email', label: 'E-mail' }] })
      await shop.post('/social_accounts', { platform: 'x' })
      await shop.post('/webhook_endpoints', { url: 'https://93.184.215.14/hooks', enabled_events: ['*'] })
      await shop.post('/tasks', { name: 'Look', prompt: 'Look.', trigger_type: 'manual' })
    })

    it.each(ROLES)(
      'lead a person who is %s nowhere that refuses',
      async (role) => {
        const email = `with-role-${role}@example.com`
        const { userId } = await addMember(shop.running.app.database, shop.accountId, { name: role, email, role })
        const person = await signIn(shop.running, userId)
        const { pages, wrong } = await walk(person)
        expect(wrong).toEqual([])
        expect(pages).toBeGreaterThan(30)
      },
      60_000,
    )
  })
})

/** Follows every link from the start page, and sends every form that it finds to where it goes, with nothing in it. */
async function walk(person: Person): Promise<{ pages: number; wrong: unknown[] }> {
  const wrong: unknown[] = []
  const seen = new Set<string>([BASE])
  const forms = new Set<string>()
  const waiting = [BASE]
  for (let path = waiting.shift(); path !== undefined && seen.size < MOST_PAGES; path = waiting.shift()) {
    const { status, html, location } = await person.get(path)
    if (status === 403 || status >= 500) wrong.push([path, status])
    const found = linksOf(html)
    for (const link of [...found.links, location ?? '']) {
      const next = shapeOf(link)
      if (next === null || seen.has(next)) continue
      seen.add(next)
      waiting.push(link)
    }
    for (const form of found.forms) {
      if (!form.startsWith(BASE) || forms.has(shapeOf(form) ?? form)) continue
      forms.add(shapeOf(form) ?? form)
      const answer = await person.post(form, {})
      if (REFUSED.test(answer.html) || answer.status >= 500) wrong.push([path, `form to ${form}`, answer.status])
    }
  }
  return { pages: seen.size, wrong }
}

/** A page by its kind: of several things of a kind, one is enough. Null for what is no page of the account. */
function shapeOf(link: string): string | null {
  if (link !== BASE && !link.startsWith(`${BASE}/`) && !link.startsWith(`${BASE}?`)) return null
  return link.split(/[?#]/)[0]!.replace(/[a-z]+_[0-9a-z]{26}/g, ':id')
}

function linksOf(html: string): { links: string[]; forms: string[] } {
  const [links, forms]: [string[], string[]] = [[], []]
  const parser = new Parser({
    onopentag(tag, { href = '', action = '', method = '' }) {
      if (tag === 'a') links.push(href)
      if (tag === 'form' && method === 'post') forms.push(action)
    },
  })
  parser.end(html)
  return { links, forms }
}
