import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { PRODUCT } from '../../src/assembly.ts'
import { eventType, type Noun } from '../../src/contract/declarations/noun.ts'
import { newId } from '../../src/contract/values/ids.ts'
import { columnsOf } from '../../src/records/columns.ts'
import { onGateEngine } from '../support/shop.ts'

const { dashboard, shop: catalogue } = PRODUCT

/** What the machinery itself adds to a noun's columns. */
const searchText = (noun: Noun) => (noun.searchable.length > 0 ? ['search_text'] : [])

const declared = [...catalogue, ...dashboard]
const nouns = declared.map((resource) => resource.noun)
const stored = nouns.filter((noun) => noun.prefix !== null)

describe('Every noun', () => {
  onGateEngine((shop) => {
    it('has a column for each stored field, and no others but the hidden ones', async () => {
      for (const noun of stored) {
        const account = noun.name === 'user' ? [] : ['account_id']
        const columns = await columnsOfTable(noun.plural)
        expect([noun.name, ...columns]).toEqual([
          noun.name,
          ...[...account, ...columnsOf(noun).stored.map(([column]) => column), ...searchText(noun)].sort(),
        ])
      }
    })

    async function columnsOfTable(table: string): Promise<string[]> {
      const { database } = shop.running.app
      const query =
        database.engine === 'sqlite'
          ? sql<{ name: string }>`select name from pragma_table_info(${table})`
          : sql<{
              name: string
            }>`select column_name as name from information_schema.columns where table_name = ${table}`
      return (await query.execute(database.read)).rows.map((row) => row.name).sort()
    }
  })

  it('has names and prefixes of its own', () => {
    for (const key of ['name', 'plural', 'prefix'] as const) {
      const values = stored.map((noun) => noun[key])
      expect(new Set(values).size).toBe(values.length)
    }
    for (const { name, prefix } of stored) {
      const id = newId(prefix!)
      expect(nouns.filter((noun) => noun.isId(id)).map((noun) => noun.name)).toEqual([name])
    }
  })

  it('leads only to nouns that there are', () => {
    for (const { noun, collections = {} } of declared) {
      for (const [name, { spec }] of Object.entries(noun.fields)) {
        if (!spec.relation) continue
        expect([noun.name, name, declared.some(({ noun }) => noun.name === spec.relation!.noun)]).toEqual([
          noun.name,
          name,
          true,
        ])
        if (spec.relation.kind === 'collection') expect(collections).toHaveProperty(name)
      }
    }
  })

  it('emits an event for every write, so that plans and webhooks miss none', () => {
    const silent = declared
      .flatMap((resource) => resource.operations)
      .filter((operation) => operation.writes && !operation.outside && operation.emits.length === 0)
    expect(silent.map(({ id }) => id)).toEqual([])
  })

  it('emits only events it declares', () => {
    const known = new Set(nouns.flatMap((noun) => noun.events.map((event) => eventType(noun, event))))
    for (const operation of declared.flatMap((resource) => resource.operations)) {
      for (const type of operation.emits)
        expect([operation.id, type, known.has(type)]).toEqual([operation.id, type, true])
    }
  })
})
