import { beforeAll, describe, expect, it } from 'vitest'
import { StrangerTexts } from '../../src/mcp/program/stranger-texts.ts'
import { type Body, onEachEngine } from '../support/shop.ts'
import { connected, received } from '../support/social.ts'
import { execute } from '../tasks/support.ts'
import { INJECTIONS } from './injections.ts'

describe('What strangers have written', () => {
  onEachEngine((shop) => {
    let form: Body
    let product: Body
    beforeAll(async () => {
      form = await shop.post('/forms', { name: 'Contact', fields: [{ label: 'Message', type: 'textarea' }] })
      product = await shop.product()
      const account = await connected(shop)
      const [field] = form.fields
      for (const text of INJECTIONS) {
        await shop.customer({ name: text })
        await shop.review(product.id, { content: text })
        await shop.post('/form_submissions', { form_id: form.id, answers: { [field.id]: text } })
        await shop.set('social_comments', await received(shop, account), { content: text })
      }
    })

    it.each([
      ['names', 'list("/customers").map { |one| one["name"] }', 'customer.name'],
      ['reviews', 'list("/reviews").map { |one| one["content"] }', 'review.content'],
      ['comments', 'list("/social_comments").map { |one| one["content"] }', 'social_comment.content'],
      [
        'answers to forms',
        'list("/form_submissions").map { |one| one["answers"][0]["value"] }',
        'form_submission.answers',
      ],
    ])('is answered byte for byte in %s, and its field is named', async (_, program, field) => {
      const { result, written_by_strangers } = await execute(shop, `${program}.compact`)
      expect(result.toSorted()).toEqual(INJECTIONS.toSorted())
      expect(written_by_strangers).toContain(field)
    })

    it('is named where it is inside of another resource', async () => {
      const customer = await shop.customer({ name: 'Ada' })
      await shop.review(product.id, { customer: customer.id, content: 'Fine' })
      const program = `list("/reviews", expand: "customer").map { |one| one["customer"] }.compact`
      expect((await execute(shop, program)).written_by_strangers).toContain('customer.name')
      expect(
        (await execute(shop, `get("/products/${product.id}", expand: "reviews")["reviews"]`)).written_by_strangers,
      ).toContain('review.content')
    })

    it('is named where a search has found it', async () => {
      const { name } = await shop.customer({ name: 'Grace Hopper' })
      const { result, written_by_strangers } = await execute(shop, 'find_anything("hopper").map { |one| one["title"] }')
      expect([result, written_by_strangers]).toEqual([[name], ['search_result.detail', 'search_result.title']])
    })

    it('is named in the answer of a write, of a dry run and of a program that fails', async () => {
      const [{ id }, named] = [await shop.customer({ name: 'Ada Lovelace' }), { written_by_strangers: ADA }]
      const write = `patch("/customers/${id}", country: "DE")["name"]`
      expect(await execute(shop, write)).toMatchObject({ ...named, committed: 'all' })
      expect(await execute(shop, `# dry_run: true\n${write}`)).toMatchObject({ ...named, dry_run: true })
      expect(await execute(shop, `raise get("/customers/${id}")["name"]`)).toMatchObject({
        ...named,
        error: { message: expect.stringContaining('Ada Lovelace') },
      })
    })

    it('is named where a dry run shows it of a resource that the program never read', async () => {
      const { id } = await shop.review(product.id, { content: INJECTIONS[0]! })
      const { changes, written_by_strangers } = await execute(shop, `# dry_run: true\ndelete("/reviews/${id}"); 1`)
      expect(changes['review.deleted'].samples[0].name).toBe(INJECTIONS[0]!.slice(0, 80))
      expect(written_by_strangers).toEqual(['review.content'])
    })

    it('takes no bytes where nothing of it was read, or no text was returned', async () => {
      const { id } = await shop.customer()
      const nothing = [`get("/customers/${id}")["email"]`, 'get("/account")["name"]', 'list("/customers").to_a.size']
      for (const program of nothing) expect(await execute(shop, program)).not.toHaveProperty('written_by_strangers')
    })

    it('is named in the same order whatever was read first', async () => {
      const both = [`list("/reviews").first["content"]`, `list("/customers").find { |one| one["name"] }["name"]`]
      const answers = [both, both.toReversed()].map((parts) => execute(shop, `[${parts.join(', ')}].sort`))
      const [first, second] = await Promise.all(answers)
      expect(first!.written_by_strangers).toEqual(second!.written_by_strangers)
      expect(first!.written_by_strangers).toEqual(first!.written_by_strangers.toSorted())
    })

    it('takes few bytes, however much of it was read', () => {
      const { presenter } = shop.running.app.pipeline
      const texts = new StrangerTexts(presenter.findNoun)
      for (const { name, fields } of presenter.nouns()) {
        const filled = Object.fromEntries(Object.keys(fields).map((field) => [field, 'x']))
        texts.note({ object: 'list', data: Array(100).fill({ ...filled, object: name }) })
      }
      expect(texts.names()).toHaveLength(13)
      expect(texts.names().at(-1)).toMatch(/^… \(\d+ more\)$/)
      expect(JSON.stringify(texts.names()).length).toBeLessThan(400)
    })
  })
})

const ADA = ['customer.first_name', 'customer.last_name', 'customer.name']
