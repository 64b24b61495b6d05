import { describe, expect, it } from 'vitest'
import { updateOne } from '../../src/database/compile-once.ts'
import { SearchFill } from '../../src/records/search/fill.ts'
import { ownerOf } from '../support/dashboard.ts'
import { type Body, onEachEngine } from '../support/shop.ts'

describe('Rows from before there was a search', () => {
  onEachEngine((shop) => {
    const found = async (of: typeof shop, query: string): Promise<string[]> =>
      (await (await ownerOf(of)).get('/search', { query, limit: 100, kind: 'file' })).data.map(({ id }: Body) => id)

    it('are found after some rounds, those of every account, also where a round was the last of a process', async () => {
      const { database, pipeline } = shop.running.app
      const other = shop.as(await shop.running.another('older-shop'))
      await database.transaction(({ db }) => db.deleteFrom('search_progress').execute())
      const own: string[] = []
      for (let made = 0; made < 130; made++) own.push(await shop.file({ filename: `harvest ${made}.png` }))
      const others = [await other.file({ filename: 'Harvest.png' })]
      expect(await found(shop, 'harvest')).toEqual([])
      const progress = () =>
        shop.db.selectFrom('search_progress').selectAll().where('kind', '=', 'file').executeTakeFirst()
      let rounds = 0
      const finished = () => new SearchFill(database, pipeline.nouns).round(0)
      while (!(await finished())) {
        rounds++
        if (rounds === 1) expect(await progress()).toMatchObject({ done: 0 })
        expect(rounds).toBeLessThan(50)
      }
      expect(rounds).toBeGreaterThan(0)
      expect(await progress()).toMatchObject({ done: 1 })
      expect(await found(shop, 'harvest')).toHaveLength(100)
      expect(own).toEqual(expect.arrayContaining(await found(shop, 'harvest')))
      expect(await found(shop, 'harvest 129')).toEqual([own[129]])
      expect(await found(other, 'harvest')).toEqual(others)
    })

    it('are found in lists without their accents, as new ones are', async () => {
      const { database, pipeline } = shop.running.app
      const [old, made] = [await shop.product({ name: 'Crème brûlée' }), await shop.product({ name: 'Creme caramel' })]
      const asWritten = { search_text: 'crème brûlée\ncreme-brulee' }
      const row = { account_id: shop.accountId, id: old.id }
      await database.transaction(({ db }) => updateOne(db, 'products', row, asWritten))
      await database.transaction(({ db }) => db.deleteFrom('search_progress').execute())
      expect(await shop.listed('/products?query=creme%20b')).toEqual([])
      const fill = new SearchFill(database, pipeline.nouns)
      while (!(await fill.round()));
      expect(await shop.listed('/products?query=creme%20b')).toEqual([old.id])
      expect(await shop.listed(`/products?query=${encodeURIComponent('CRÈME')}`)).toEqual([made.id, old.id])
      expect(await shop.listed('/products?query=creme%25')).toEqual([])
      const other = await shop.customer({ name: 'Жанна' })
      expect(await shop.listed('/customers?query=zhanna')).toEqual([other.id])
      await shop.patch(`/customers/${other.id}`, { name: 'José' })
      expect(await shop.listed('/customers?query=zhanna')).toEqual([])
      expect(await shop.listed('/customers?query=jose')).toEqual([other.id])
    })

    it('cost nothing once all are found, and what is written meanwhile is found once', async () => {
      const { database, pipeline } = shop.running.app
      const made = await shop.tag({ name: 'Gleaning' })
      await database.transaction(({ db }) => db.deleteFrom('search_progress').execute())
      const fill = new SearchFill(database, pipeline.nouns)
      while (!(await fill.round()));
      const entries = shop.db.selectFrom('search_entries').select('entry').where('id', '=', made.id)
      expect(await entries.execute()).toEqual([{ entry: 'gleaning' }])
      await shop.delete(`/tags/${made.id}`)
      expect(await entries.execute()).toEqual([])
    })
  })
})
