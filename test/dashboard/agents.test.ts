import { beforeAll, describe, expect, it } from 'vitest'
import { type Person, signIn } from '../support/person.ts'
import { type Body, onGateEngine } from '../support/shop.ts'
import { agentRuns, dashboardOf, member, ownerOf, tokenOf } from './operations/visitor.ts'

const BASE = '/dashboard/my-shop'
const EVIL = `<img src=x onerror="alert(1)"></script><script>alert('"')</script>`

onGateEngine((shop) => {
  let owner: Person
  let proposing: string
  let writing: string
  beforeAll(async () => {
    owner = await signIn(shop.running)
    proposing = await tokenOf(shop, ownerOf(shop), 'propose', `Agent ${EVIL}`)
    writing = await tokenOf(shop, ownerOf(shop), 'write', 'Writer')
  })

  const propose = async (code: string): Promise<string> => {
    const answer = await agentRuns(shop, proposing, code)
    expect(answer).toHaveProperty('plan')
    return answer.plan
  }
  const tags = async (): Promise<string[]> =>
    (await shop.running.api('GET', '/tags?limit=100')).body.data.map((tag: Body) => tag.name)
  const page = async (path: string) => {
    const { status, html } = await owner.get(BASE + path)
    return { status, html, words: wordsOf(html) }
  }

  describe('The page of a plan', () => {
    it('says in words and with money what happens, and does it', async () => {
      const product = (await shop.running.api('POST', '/products', { name: 'Rooibos' })).body.id
      const made = { product_id: product, name: 'Box', amount: 1250, currency: 'eur' }
      const price = (await shop.running.api('POST', '/price_variants', made)).body.id
      const id = await propose(`patch("/price_variants/${price}", amount: 1000)\npost("/tags", name: "cheaper")["id"]`)
      const { words, html } = await page(`/plans/${id}`)
      expect(words).toContain('1 price is changed and 1 tag is created')
      expect(words).toContain('Box of Rooibos')
      expect(words).toContain('from €12.50 → to €10.00 −€2.50, −20%')
      expect(html).toContain(`href="${BASE}/products/${product}"`)
      expect((await page('/plans')).html).toContain(`${BASE}/plans/${id}`)
      const applied = await owner.submit(`${BASE}/plans/${id}`, { note: 'Fine.' }, `${BASE}/plans/${id}/apply`)
      expect([applied.status, applied.location]).toEqual([303, `${BASE}/plans/${id}?done=applied`])
      expect(await tags()).toContain('cheaper')
      const after = await page(`/plans/${id}`)
      expect(after.words).toContain('All of these changes were made')
      expect(after.words).toContain('Fine.')
      expect(after.html).not.toContain('<button class="primary">Apply')
      expect((await page('/plans?state=applied')).html).toContain(`${BASE}/plans/${id}`)
    })

    it('tells whoever decides that a program goes on in the background after what is shown', async () => {
      const block = 'rows.each { |row| patch("/price_variants/#{row["id"]}", waitlist: true) }'
      const id = await propose(`# background: true\neach_batch(list("/price_variants"), of: 1) { |rows| ${block} }`)
      const { words } = await page(`/plans/${id}`)
      expect(words).toMatch(
        /This is the next batch of a program over \d+ rows?: .* goes on with the others in the background\./,
      )
    })

    it('shows lists of texts as people write them', async () => {
      const product = (await shop.running.api('POST', '/products', { name: 'Sencha' })).body.id
      const made = { product_id: product, name: 'Tin', amount: 900 }
      const price = (await shop.running.api('POST', '/price_variants', made)).body.id
      const id = await propose(`patch("/price_variants/${price}", benefits: ["100 g", "First flush"])["id"]`)
      expect((await page(`/plans/${id}`)).words).toContain('from nothing → to 100 g, First flush')
    })

    it('shows characters that are not seen, and letters that look like others', async () => {
      const name = 'Pаypal\u202E\u{E0041}'
      const tag = (await shop.running.api('POST', '/tags', { name: 'A tag with a long and harmless name' })).body.id
      const renamed = 'A tag with а long and harmless name'
      const id = await propose(`patch("/tags/${tag}", name: "${renamed}")\npost("/tags", name: "${name}")["id"]`)
      const { words, html } = await page(`/plans/${id}`)
      expect(words).toContain('Pа⟨U+0430⟩ypal⟨U+202E⟩⟨U+E0041⟩')
      expect(html).not.toMatch(/[\u202e\u{e0041}]/u)
      const [shown] = html.match(/<code>[\s\S]*?<\/code>/)!
      expect(shown).toContain('Pа⟨U+0430⟩ypal⟨U+202E⟩⟨U+E0041⟩')
    })

    it('says what differs when the shop has changed since, in money too', async () => {
      const product = (await shop.running.api('POST', '/products', { name: 'Mate' })).body.id
      const made = { product_id: product, name: 'Tin', amount: 1000 }
      const price = (await shop.running.api('POST', '/price_variants', made)).body.id
      const id = await propose(`price = get("/price_variants/${price}")
patch("/price_variants/${price}", amount: price["amount"] * 2)["id"]`)
      await shop.running.api('PATCH', `/price_variants/${price}`, { amount: 1100 })
      const refused = await owner.submit(`${BASE}/plans/${id}`, { note: 'Kept words' }, `${BASE}/plans/${id}/apply`)
      expect(refused.status).toBe(409)
      const words = wordsOf(refused.html)
      expect(words).toContain('Nothing was applied')
      expect(words).toContain('$10.00 → $20.00')
      expect(words).toContain('$11.00 → $22.00')
      expect(refused.html).toContain('Kept words</textarea>')
      expect((await shop.running.api('GET', `/price_variants/${price}`)).body.amount).toBe(1100)
    })

    it('says what is permanently deleted, unless nobody will apply it anymore', async () => {
      const tag = (await shop.running.api('POST', '/tags', { name: 'fleeting' })).body.id
      const id = await propose(`delete("/tags/${tag}")`)
      expect((await page(`/plans/${id}`)).words).toContain('fleeting permanently deleted')
      const path = `${BASE}/plans/${id}`
      await owner.post(`${path}/reject`, { csrf: (await formOf(path, `${path}/apply`)).csrf })
      expect((await page(`/plans/${id}`)).words).toMatch(/fleeting(?! is gone)/)
    })

    it('makes a plan again with one click where the shop has changed since', async () => {
      const tag = (await shop.running.api('POST', '/tags', { name: 'before' })).body.id
      const id = await propose(`patch("/tags/${tag}", name: get("/tags/${tag}")["name"] + "!")["id"]`)
      await shop.running.api('PATCH', `/tags/${tag}`, { name: 'after' })
      const path = `${BASE}/plans/${id}`
      const refused = await owner.submit(path, {}, `${path}/apply`)
      expect(refused.html).toContain(`action="${path}/again"`)
      const csrf = /name="csrf" value="([^"]+)"/.exec(refused.html)![1]!
      const made = await owner.post(`${path}/again`, { csrf })
      expect([made.status, made.location]).toEqual([303, expect.stringMatching(/\/plans\/plan_\w+\?done=planned$/)])
      expect((await page(`/plans/${id}`)).words).toContain('The plan was made again')
      const next = await page(made.location!.replace(BASE, '').replace(/\?.*/, ''))
      expect(next.words).toContain('after!')
      expect(next.html).toContain(`href="${path}"`)
    })

    it('says that a plan was withdrawn', async () => {
      const id = await propose('post("/tags", name: "withdrawn")["id"]')
      await agentRuns(shop, proposing, `# withdraw: ${id}`)
      const { words, html } = await page(`/plans/${id}`)
      expect(words).toContain('took the plan back on')
      expect(html).not.toContain(`action="${BASE}/plans/${id}/apply"`)
      expect((await page('/plans?state=withdrawn')).html).toContain(`${BASE}/plans/${id}`)
    })

    it('says why a program fails that did not when it was planned', async () => {
      const id = await propose('post("/discounts", code: "TWICE", discount_type: "percent_off", percent_off: 5)["id"]')
      await shop.running.api('POST', '/discounts', { code: 'TWICE', discount_type: 'percent_off', percent_off: 5 })
      const refused = await owner.submit(`${BASE}/plans/${id}`, {}, `${BASE}/plans/${id}/apply`)
      const words = wordsOf(refused.html)
      expect(words).toContain('Nothing was applied The program did not fail when it was planned, but fails now')
      expect(words).toContain('Code has already been taken')
      expect(words).not.toContain('Applying the plan')
    })

    it('rejects it with a note, and shows the way to a new one when it expired', async () => {
      const id = await propose('post("/tags", name: "unwanted")["id"]')
      const path = `${BASE}/plans/${id}`
      const rejected = await owner.submit(path, { note: `No ${EVIL}` }, `${path}/apply`.replace('apply', 'reject'))
      expect(rejected.status).toBe(403)
      const { csrf } = await formOf(path, `${path}/apply`)
      expect((await owner.post(`${path}/reject`, { csrf, note: `No ${EVIL}` })).location).toBe(`${path}?done=rejected`)
      expect((await page(`/plans/${id}`)).words).toContain(`No ${EVIL}`)
      const late = await propose('post("/tags", name: "late")["id"]')
      await shop.running.app.database.transaction(({ db }) =>
        db.updateTable('program_plans').set({ expires_at: '2026-01-01T00:00:00Z' }).where('id', '=', late).execute(),
      )
      const expired = await page(`/plans/${late}`)
      expect(expired.words).toContain('This plan expired')
      expect(expired.html).toContain(`action="${BASE}/plans/${late}/again"`)
      expect(expired.html).toContain(`${BASE}/playground?plan=${late}`)
      expect((await page(`/playground?plan=${late}`)).words).toContain('name: "late"')
    })

    it('shows whatever agents write as text', async () => {
      const quoted = JSON.stringify(EVIL)
      const id = await propose(`# ${EVIL}
post("/products", name: ${quoted}, description: ${quoted}, metadata: { "evil" => ${quoted} })["id"]`)
      const failed = await agentRuns(shop, writing, `raise ${quoted}`)
      expect(failed.error.message).toContain('<img')
      await settledRuns()
      const runs = (await dashboardOf(shop, ownerOf(shop))('GET', '/runs', { query: { failed: true } })).body.data
      for (const path of [`/plans/${id}`, '/plans', '/runs', `/runs/${runs[0].id}`, `/playground?plan=${id}`]) {
        const { status, html, words } = await page(path)
        expect([path, status]).toEqual([path, 200])
        expect(html).not.toContain('<img')
        expect(html).not.toContain('<script>')
        expect(words).toMatch(/<img src=x/)
      }
    })

    it('takes no form of another site or person', async () => {
      const id = await propose('post("/tags", name: "forged")["id"]')
      const path = `${BASE}/plans/${id}`
      const { csrf } = await formOf(path, `${path}/apply`)
      const foreign = { 'Sec-Fetch-Site': 'cross-site' }
      expect((await owner.post(`${path}/apply`, { csrf }, foreign)).status).toBe(403)
      expect((await owner.post(`${path}/apply`, { csrf: 'guessed' })).status).toBe(403)
      expect((await owner.get(`${path}/apply`)).location).toBe(path)
      expect(await tags()).not.toContain('forged')
    })

    it('is another account’s nothing', async () => {
      const id = await propose('post("/tags", name: "private")["id"]')
      const other = await shop.running.another(`other-${Math.random().toString(36).slice(2)}`)
      const stranger = await signIn(shop.running, other.userId)
      const { subdomain } = await shop.as(other).get('/account')
      const [own, csrf] = [`/dashboard/${subdomain}`, 'x']
      expect((await stranger.get(`${BASE}/plans/${id}`)).status).toBe(404)
      expect((await stranger.post(`${BASE}/plans/${id}/apply`, { csrf })).status).toBe(404)
      for (const path of [`/plans/${id}`, '/runs/run_01k9z6v8q2f3x7c5m1n4b0r8ta', `/playground?plan=${id}`])
        expect((await stranger.get(own + path)).status).toBe(404)
    })
  })

  describe('The playground', () => {
    it('runs a program without scripts, and shows what came of it', async () => {
      const address = `${BASE}/playground`
      const code = 'puts "hello"\npost("/tags", name: "from the playground")["name"]'
      const dry = await owner.submit(address, { code, mode: 'dry_run' })
      expect(dry.status).toBe(200)
      expect(wordsOf(dry.html)).toContain('1 tag is created')
      expect(dry.html).toMatch(new RegExp(`href="${BASE}/plans/plan_\\w+"`))
      expect(dry.html).toContain(`post(&quot;/tags&quot;, name: &quot;from the playground&quot;)`)
      expect(await tags()).not.toContain('from the playground')
      const done = wordsOf((await owner.submit(address, { code, mode: 'execute' })).html)
      expect(done).toContain('What it changed')
      expect(done).toContain('1 tag created')
      expect(await tags()).toContain('from the playground')
      const found = await owner.submit(address, {
        code: '{ "count" => tools.size, "list" => [1, nil] }',
        mode: 'search',
      })
      expect(wordsOf(found.html)).toMatch(/count\s*: \d+/)
      const failed = await owner.submit(address, { code: 'post("/tags", name: "")["id"]', mode: 'execute' })
      expect(wordsOf(failed.html)).toMatch(/The program failed.*Line 1/s)
      expect((await owner.submit(address, { code: '1', mode: 'other' })).status).toBe(422)
    })

    it('offers the examples, and what the editor completes', async () => {
      expect((await page('/playground?example=refund-last-order')).words).toContain('Gives back what is left')
      const { html } = await page('/playground/completions')
      const { paths, fields, helpers } = JSON.parse(html)
      expect(paths.map(({ label }: Body) => label)).toContain('/products/{id_or_slug}')
      expect(paths.map(({ label }: Body) => label)).not.toContain('/plans')
      expect(fields.map(({ label }: Body) => label)).toContain('price_variants')
      expect(helpers.map(({ label }: Body) => label)).toContain('list')
    })

    it('runs with the rights of its person', async () => {
      const helper = await signIn(shop.running, (await member(shop, 'member', 'helper@example.com')).userId)
      const code = 'patch("/account", description: "mine")["id"]'
      const refused = await helper.submit(`${BASE}/playground`, { code, mode: 'execute' })
      expect(wordsOf(refused.html)).toContain('The program failed')
      expect((await shop.running.api('GET', '/account')).body.description).toBe(null)
    })
  })

  const formOf = async (path: string, to: string) => {
    const { html } = await owner.get(path)
    const csrf = /name="csrf" value="([^"]+)"/.exec(html.slice(html.indexOf(`action="${to}"`)))![1]!
    return { csrf }
  }
  const settledRuns = () => shop.running.app.mcp.close()
})

/** The text of a page as people read it. */
function wordsOf(html: string): string {
  const text = html.replace(/<(script|style)[\s\S]*?<\/\1>/g, '').replace(/<[^>]*>/g, ' ')
  const plain = text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
  return plain.replace(/\s+/g, ' ')
}
