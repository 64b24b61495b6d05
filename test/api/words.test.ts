import { PostgresAdapter, sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { prefixKey, startsWith } from '../../src/records/prefix-search.ts'
import { priceForSale, sell } from '../support/sell.ts'
import { type Body, onEachEngine } from '../support/shop.ts'

describe('Words in the search box of a list', () => {
  onEachEngine((shop) => {
    let [ink, paper]: Body[] = []
    let invoice: Body
    let file: Body

    beforeAll(async () => {
      const price = async (name: string) => (await priceForSale(shop, {}, { name })).id
      const buyer = async (email: string, name: string) => (await shop.customer({ email, name })).email
      const [ada, grace] = [
        await buyer('ada@example.com', 'Adá Lovelace'),
        await buyer('grace@navy.example', 'Grace O%_'),
      ]
      const inkPrice = await price('Ink, bleú')
      ink = await sell(shop, [{ price_variant: inkPrice }], { checkout: { email: ada } })
      paper = await sell(shop, [{ price_variant: await price('Paper') }], { checkout: { email: grace } })
      const bill = { price_variant: inkPrice, due_at: '2099-01-01T00:00:00Z', email_address: ada }
      invoice = await shop.post('/invoices', bill)
      file = await shop.post('/files', { filename: 'Cover.png', title: 'Titelbild' })
    })

    const found = (words: string, list = 'orders') => shop.listed(`/${list}?query=${encodeURIComponent(words)}`)

    it.each([
      ['an address', 'ada@example.com'],
      ['the beginning of an address, whatever its case', 'ADA@ex'],
      ['a name', 'ada lovelace'],
      ['the host of an address', 'example.com'],
      ['a last name', 'Love'],
      ['words of a name without its accents', 'lovelace ad'],
      ['the beginning of a product', ' ink, '],
      ['a later word of a product', 'BLEU'],
    ])('find orders by %s', async (_, words) => {
      expect(await found(words)).toEqual([ink.id])
    })

    it('find orders by an id of theirs, of their buyer and no others', async () => {
      expect(await found(paper.id)).toEqual([paper.id])
      expect(await found(paper.customer.id)).toEqual([paper.id])
    })

    it('mean what they say: no pattern, nothing inside a word, and nothing of other accounts', async () => {
      for (const words of ['%', '_', 'ovelace', 'Inks', "' or 1 = 1 --"]) expect(await found(words)).toEqual([])
      expect(await found('grace o%')).toEqual([paper.id])
      const other = shop.as(await shop.running.another('words-elsewhere'))
      expect(await other.listed('/orders?query=ada')).toEqual([])
    })

    it('go together with other filters, and over pages', async () => {
      expect(await shop.listed('/orders?query=ada&status=failed')).toEqual([])
      const second = await sell(shop, [{ price_variant: (await priceForSale(shop)).id }], {
        checkout: { email: 'ada@example.com' },
      })
      const page = await shop.get('/orders?query=ada&limit=1')
      expect([page.data[0].id, page.has_more]).toEqual([second.id, true])
      expect(await shop.listed(`/orders?query=ada&limit=1&starting_after=${second.id}`)).toEqual([ink.id])
    })

    it('find invoices by their number, with or without what comes before it', async () => {
      const digits = invoice.number.replace(/^#0*/, '')
      for (const words of [invoice.number, digits, 'ada@', 'Ink', invoice.id])
        expect([words, await found(words, 'invoices')]).toEqual([words, [invoice.id]])
      expect(await found('99', 'invoices')).toEqual([])
    })

    it('find files by words of their name and title', async () => {
      for (const words of ['cover', 'png', 'titelbild']) expect(await found(words, 'files')).toEqual([file.id])
      expect(await found('over', 'files')).toEqual([])
    })

    it('look the recipient of an e-mail up in an index, so that the size of an account does not matter', async () => {
      const ids = sql`select id from emails where account_id = 'a' and ${startsWith('to', 'a')}
        order by ${prefixKey('to')} limit 100`
      const plan = await shop.db.connection().execute(async (db) => {
        if (!(db.getExecutor().adapter instanceof PostgresAdapter))
          return (await sql<{ detail: string }>`explain query plan ${ids}`.execute(db)).rows.map(({ detail }) => detail)
        // An empty table costs nothing to sort.
        await sql`set enable_sort = off`.execute(db)
        const { rows } = await sql<Record<string, string>>`explain ${ids}`.execute(db)
        await sql`reset enable_sort`.execute(db)
        return rows.map((row) => Object.values(row)[0]!)
      })
      expect(plan.join('\n')).toMatch(/\(account_id=\? AND [<>\w]+>\? AND [<>\w]+<\?\)$|Index Cond: .* >= .* < /)
      expect(plan.join('\n')).not.toMatch(/TEMP B-TREE|Sort/)
    })
  })
})
