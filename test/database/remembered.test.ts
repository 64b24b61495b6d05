import { readdirSync, readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { PRODUCT } from '../../src/assembly.ts'
import type { Context } from '../../src/records/context.ts'
import { memoize, prime } from '../../src/records/memoize.ts'
import { changeRow, findRow, insertRow } from '../../src/records/records.ts'
import { Tag } from '../../src/resources/audience/tag/tag.ts'
import { onEachEngine, type Shop } from '../support/shop.ts'
import { codeOf, sources } from '../support/source-files.ts'

describe('Rows that a transaction has read', () => {
  onEachEngine((shop) => {
    it('are read again after any statement that may change them', async () => {
      const { id } = await shop.post('/tags', { name: 'before' })
      const seen = await inTransaction(shop, async (context) => {
        const names = [await nameOf(context, id)]
        await context.db.updateTable('tags').set({ name: 'changed' }).where('id', '=', id).execute()
        names.push(await nameOf(context, id))
        await sql`update tags set name = 'by hand' where id = ${id}`.execute(context.db)
        names.push(await nameOf(context, id))
        const row = (await findRow(context, Tag, id))!
        await changeRow(context, Tag, row, { name: 'by rule' })
        names.push(await nameOf(context, id))
        await context.db.deleteFrom('tags').where('id', '=', id).execute()
        return [...names, await nameOf(context, id)]
      })
      expect(seen).toEqual(['before', 'changed', 'by hand', 'by rule', undefined])
    })

    it('are read again once a savepoint was undone', async () => {
      const { id } = await shop.post('/tags', { name: 'kept' })
      const seen = await shop.running.app.database.transaction(async (unit) => {
        const context = { db: unit.db, accountId: shop.accountId } as Context
        const undone = unit.savepoint(async () => {
          await context.db.updateTable('tags').set({ name: 'undone' }).where('id', '=', id).execute()
          expect(await nameOf(context, id)).toBe('undone')
          throw new Error('no')
        })
        await undone.catch(() => {})
        return nameOf(context, id)
      })
      expect(seen).toBe('kept')
    })

    it('are copies, so that what a rule does to one shows in no other', async () => {
      const { id } = await shop.post('/tags', { name: 'whole' })
      const seen = await inTransaction(shop, async (context) => {
        const row = (await findRow(context, Tag, id))!
        row.name = 'scribbled'
        return nameOf(context, id)
      })
      expect(seen).toBe('whole')
    })

    it('include answers to questions, until one of their tables is written', async () => {
      const seen = await inTransaction(shop, async (context) => {
        const asked = { name: 'tags at all', tables: ['tags'] as const }
        let times = 0
        const ask = () => memoize(context, asked, async () => ++times)
        const answers = [await ask(), await ask()]
        await insertRow(context, Tag, tagNamed(`new ${shop.accountId}`))
        answers.push(await ask())
        prime(context, asked, 9)
        return [...answers, await ask()]
      })
      expect(seen).toEqual([1, 1, 2, 9])
    })
  })
})

describe('The tables of an account', () => {
  const directory = new URL('../../src/database/migrations/', import.meta.url)
  const texts = readdirSync(directory).map((name) => readFileSync(new URL(name, directory), 'utf8'))

  it('have no foreign key, by which a statement would change rows of a table that it does not name', () => {
    expect(texts.filter((text) => /\breferences\s+\w+\s*\(|\bforeign key\b/i.test(text))).toEqual([])
  })
})

describe('Tables that triggers write', () => {
  const directory = new URL('../../src/database/migrations/', import.meta.url)
  const triggers = readdirSync(directory)
    .map((name) => readFileSync(new URL(name, directory), 'utf8'))
    .filter((text) => /\bcreate trigger\b/i.test(text))

  it('are named by no question and no noun, because no statement names them that would clear the cache', () => {
    const written = new Set(
      triggers.flatMap((text) =>
        [...text.matchAll(/(?:insert into|update|delete from) (?!set\b)(\w+)/g)].map(([, table]) => table!),
      ),
    )
    expect(written).toContain('customer_tags_counts')
    const questions = sources.flatMap((file) => codeOf(file).match(/tables: \[[^\]]*\]/g) ?? []).join()
    expect([...written].filter((table) => questions.includes(`'${table}'`))).toEqual([])
    const nouns = [...PRODUCT.shop, ...PRODUCT.dashboard].map(({ noun }) => noun)
    expect(nouns.filter(({ plural }) => written.has(plural))).toEqual([])
  })
})

function tagNamed(name: string) {
  return { name, name_key: name.toLowerCase(), color: null }
}

async function nameOf(context: Context, id: string): Promise<string | undefined> {
  return (await findRow(context, Tag, id))?.name
}

function inTransaction<Result>(shop: Shop, work: (context: Context) => Promise<Result>): Promise<Result> {
  const { app } = shop.running
  const caller = { kind: 'job', accountId: shop.accountId, jobId: 'job_of_a_test' } as const
  return app.pipeline.contexts.part(app.database, caller, [], work)
}
