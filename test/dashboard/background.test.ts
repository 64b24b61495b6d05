import { beforeAll, describe, expect, it, vi } from 'vitest'
import { type Person, signIn } from '../support/person.ts'
import { onGateEngine } from '../support/shop.ts'
import { agentRuns, ownerOf, tokenOf } from './operations/visitor.ts'

const BASE = '/dashboard/my-shop/background_programs'

onGateEngine((shop) => {
  let owner: Person
  let writing: string
  let proposing: string
  beforeAll(async () => {
    owner = await signIn(shop.running)
    writing = await tokenOf(shop, ownerOf(shop), 'write', 'Writer')
    proposing = await tokenOf(shop, ownerOf(shop), 'propose', 'Proposer')
    for (const name of ['Ash', 'Birch', 'Cedar']) await shop.running.api('POST', '/tags', { name })
  })
  const over = (block: string) =>
    `# background: true\n# Rename the trees\neach_batch(list("/tags"), of: 1) { |rows| ${block} }`
  const page = async (path: string) => {
    const { html } = await owner.get(BASE + path)
    return { html, words: html.replace(/<script[\s\S]*?<\/script>|<[^>]+>/g, ' ').replace(/\s+/g, ' ') }
  }
  const ended = async (id: string) => {
    for (;;) {
      const { words } = await page(`/${id}`)
      if (/Done|Failed/.test(words)) return words
    }
  }

  describe('The page of a background program', () => {
    it('says what it is called, how far it is, what it did and which batches', async () => {
      const { background } = (
        await agentRuns(shop, writing, over('patch("/tags/#{rows[0]["id"]}", color: "#112233"); 2'))
      ).result
      const words = await ended(background)
      expect(words).toContain('Rename the trees')
      expect(words).toContain('3 of 3 rows')
      expect(words).toContain('3 tags changed')
      expect(words).toContain('Sum of the results 6')
      // Runs are written down a moment after they end.
      const { html } = await vi.waitUntil(
        async () => {
          const found = await page(`/${background}`)
          return (found.html.match(/\/runs\/run_\w+/g) ?? []).length === 3 && found
        },
        { timeout: 10_000 },
      )
      expect(html).toContain('<progress')
      expect(html).not.toContain(`${background}/resume"`)
      expect(html).not.toContain(`${background}/stop"`)
      const run = /\/runs\/(run_\w+)/.exec(html)![1]!
      expect((await owner.get(`/dashboard/my-shop/runs/${run}`)).html).toContain(`${BASE}/${background}`)
      expect((await page('')).words).toContain('Rename the trees')
    })

    it('leads to the plan that it waits for, and offers nothing else', async () => {
      const { plan } = await agentRuns(shop, proposing, over('patch("/tags/#{rows[0]["id"]}", color: "#445566")'))
      const { html } = await page('?state=waiting_for_approval')
      const id = /background_programs\/(bg_\w+)/.exec(html)![1]!
      const one = await page(`/${id}`)
      expect(one.words).toContain('It begins when its plan is applied.')
      expect(one.html).toContain(`/dashboard/my-shop/plans/${plan}`)
      expect(one.html).not.toContain(`${id}/resume"`)
    })

    it('says why it failed and lets it go on', async () => {
      const failing = over('raise "odd tree" if rows[0]["name"] == "Birch"; rows.size')
      const { background } = (await agentRuns(shop, writing, failing)).result
      expect(await ended(background)).toContain('odd tree')
      const birch = (await shop.running.api('GET', '/tags?query=birch')).body.data[0].id
      await shop.running.api('PATCH', `/tags/${birch}`, { name: 'Beech' })
      expect((await page(`/${background}`)).html).toContain(`${background}/resume"`)
      const { status } = await owner.submit(`${BASE}/${background}/resume`, {}, `${BASE}/${background}/resume`)
      expect(status).toBe(303)
      expect(await ended(background)).toContain('3 of 3 rows')
    })
  })
})
