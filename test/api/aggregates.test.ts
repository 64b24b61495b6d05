import { beforeAll, describe, expect, it } from 'vitest'
import type { Operation } from '../../src/contract/declarations/operation.ts'
import { FIGURES } from '../../src/contract/values/aggregate.ts'
import { newId } from '../../src/contract/values/ids.ts'
import { anyTable } from '../../src/records/records.ts'
import { type Chance, randomFrom } from '../support/chance.ts'
import { SEED } from '../support/depth.ts'
import { type Body, onEachEngine, type Shop } from '../support/shop.ts'
import { stock } from '../support/stock.ts'
import { execute, owner } from '../tasks/support.ts'

type Case = [figure: string, field: string | null, by: string[]]

const CASES_OF_A_PROGRAM = 20
const NARROWED = 3

/** Compares figures of the database with those of Ruby. A refusal has to be right, too. */
const COMPARE = `
  rows = list(path, **filters.transform_keys(&:to_sym))
  all = rows.to_a
  cases.map do |figure, field, by|
    groups = by.empty? ? { nil => all } : all.group_by { |row| by.size == 1 ? row[by[0]] : row.values_at(*by) }
    own = groups.transform_values do |some|
      next some.size if figure == "count"
      values = some.map { |row| row[field] }.compact
      figure == "sum" ? values.grep(Integer).sum : figure == "minimum" ? values.min : values.max rescue "incomparable"
    end
    own = own[nil] if by.empty?
    asked = by.empty? ? rows : rows.group_by(*by)
    begin
      found = figure == "count" ? asked.count : asked.public_send(figure, field)
      found == own ? "same" : { case: [figure, field, by], found: found, own: own }
    rescue RefusedError => error
      message = error.error["message"]
      currencies = all.map { |row| row["currency"] unless row[field].nil? }.compact.uniq
      next "cannot" if message.include?("cannot use")
      message.include?("different currencies") && currencies.size > 1 ? "currencies" : { case: [figure, field, by], message: message }
    end
  end`

async function compared(shop: Shop, path: string, filters: object, cases: Case[]): Promise<unknown[]> {
  const given = [path, filters, cases].map((value) => `JSON.parse(${JSON.stringify(JSON.stringify(value))})`)
  const values = `path, filters, cases = ${JSON.stringify(path)}, ${given[1]}, ${given[2]}`
  const { result, error } = await execute(shop, `${values.replaceAll('#', '\\#')}\n${COMPARE}`)
  expect({ path, filters, error }).toEqual({ path, filters, error: undefined })
  return result
}

function everyFigure(fields: string[]): Case[] {
  const ofFields = FIGURES.slice(1).flatMap((figure) => fields.map((field): Case => [figure, field, []]))
  return [['count', null, []], ...fields.map((field): Case => ['count', null, [field]]), ...ofFields]
}

function someFigures(fields: string[], chance: Chance): Case[] {
  const any = () => fields[chance(fields.length)]!
  return Array.from({ length: CASES_OF_A_PROGRAM }, () => {
    const figure = FIGURES[chance(FIGURES.length)]!
    const by = [...new Set(Array.from({ length: chance(3) }, any))]
    return [figure, figure === 'count' ? null : any(), by]
  })
}

/** Narrows by the values of a row, as a filter's own value or as a bound. */
function someFilters({ query }: Operation<never>, row: Body, chance: Chance): object {
  const names = Object.keys(query).filter((name) => ['string', 'number', 'boolean'].includes(typeof row?.[name]))
  if (names.length === 0) return {}
  const chosen = new Set(Array.from({ length: 1 + chance(2) }, () => names[chance(names.length)]!))
  return Object.fromEntries(
    [...chosen].map((name) => {
      const value = row[name]
      const bounded = typeof value === 'number' || /^\d{4}-\d\d-\d\dT/.test(value)
      return [name, bounded ? { [['gte', 'lt', 'lte'][chance(3)]!]: value } : value]
    }),
  )
}

/** Copies the newest row of a table, with other values in each copy. */
async function copied(shop: Shop, table: string, prefix: string, values: object[]): Promise<void> {
  const { db } = shop
  const row = await anyTable({ db })
    .selectFrom(table)
    .selectAll()
    .where('account_id', '=', shop.accountId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  const rows = values.map((one) => ({ ...row, id: newId(prefix), ...one }))
  await shop.running.app.database.transaction(async (unit) => {
    for (let start = 0; start < rows.length; start += 500)
      await anyTable(unit)
        .insertInto(table)
        .values(rows.slice(start, start + 500) as never)
        .execute()
  })
}

describe('The figures of a list in a program', () => {
  onEachEngine(
    (shop) => {
      const chance = randomFrom(SEED)
      beforeAll(async () => {
        await stock(shop)
        const any = <Value>(...values: Value[]) => values[chance(values.length)]
        const orders = Array.from({ length: 150 }, () => ({
          status: any('succeeded', 'refunded', 'failed'),
          currency: any('usd', 'usd', 'eur', 'jpy'),
          amount: chance(100_000),
          country: any('DE', 'US', null),
          paid_at: any(null, '2026-10-01T00:00:00Z', '2026-10-31T22:59:59Z', '2026-11-02T10:00:00Z'),
          reverse_charge: any(0, 1),
        }))
        await copied(shop, 'orders', 'ord', orders)
        const customers = ['Åse', 'ase', 'Zoë', 'zoe', '\u{1f600}', '\ufb00', 'NULL', null].map((name, index) => ({
          name,
          email: `figures-${index}@example.com`,
          total_spend: 2 ** 53 - 1,
          orders_count: index,
        }))
        await copied(shop, 'customers', 'cus', customers)
      })

      const lists = () => shop.operations.filter((one) => (one as Operation).aggregate && !one.path.includes('{'))

      it('are those of the rows, for every field of every list', async () => {
        const kinds = new Map<unknown, number>()
        for (const { path, noun } of lists()) {
          const cases = everyFigure(Object.keys(noun.fields))
          for (let start = 0; start < cases.length; start += CASES_OF_A_PROGRAM)
            for (const one of await compared(shop, path, {}, cases.slice(start, start + CASES_OF_A_PROGRAM))) {
              expect([path, one]).toEqual([path, expect.any(String)])
              kinds.set(one, (kinds.get(one) ?? 0) + 1)
            }
        }
        expect(kinds.get('same')).toBeGreaterThan(400)
        expect(kinds.get('currencies')).toBeGreaterThan(5)
      })

      it('are those of the rows, for random filters, fields and groups', async () => {
        let same = 0
        for (const operation of lists()) {
          const { data } = await shop.get(`${operation.path}?limit=100`)
          for (let turn = 0; turn < NARROWED && data.length > 0; turn++) {
            const filters = someFilters(operation as never, data[chance(data.length)], chance)
            for (const one of await compared(
              shop,
              operation.path,
              filters,
              someFigures(Object.keys(operation.noun.fields), chance),
            )) {
              expect([operation.path, filters, one]).toEqual([operation.path, filters, expect.any(String)])
              if (one === 'same') same++
            }
          }
        }
        expect(same).toBeGreaterThan(100)
      })

      it('are exact beyond the integers of JSON and of the database', async () => {
        const rich = Array.from({ length: 1100 }, (_, index) => ({
          email: `rich-${index}@example.com`,
          total_spend: 2 ** 53 - 2,
        }))
        await copied(shop, 'customers', 'cus', rich)
        const program = 'list("/customers", total_spend: 2**53 - 2).sum("total_spend").to_s'
        expect((await execute(shop, program)).result).toBe(String((2n ** 53n - 2n) * 1100n))
      })

      it('see the writes of their program, and are one call', async () => {
        const program = `# dry_run: true
          before = list("/reviews").group_by("rating").count
          price = list("/products").first["id"]
          2.times { post("/reviews", product: price, rating: 4, content: "Fine") }
          reviews = list("/reviews")
          [9.times.map { reviews.group_by("rating").count[4] }.uniq, before[4].to_i + 2]`
        const { result, error } = await execute(shop, program)
        expect(error).toBeUndefined()
        expect(result[0]).toEqual([result[1]])
      })

      it('of another account’s rows are of none, and unknown fields are refused with the known ones', async () => {
        const other = shop.as(await shop.running.another('figures-nothing'))
        const caller = {
          kind: 'session',
          sessionId: 'tests',
          ...(await owner(shop)),
          accountId: other.accountId,
        } as const
        const program = 'l = list("/orders")\n[l.sum("amount"), l.maximum("amount"), l.group_by("status").count]'
        expect((await shop.running.app.mcp.execute(caller, program)).body.result).toEqual([0, null, {}])
        for (const [list, message] of [
          ['list("/orders").sum("amuont")', /did you mean "amount"/],
          ['list("/orders").sum("account_id")', /cannot use "account_id"/],
          ['list("/orders").group_by("amount_refunding").count', /cannot use "amount_refunding"/],
          ['list("/orders").sum("status")', /takes these fields of an order: amount, subtotal/],
          ['list("/orders").group_by("status").sum("amount")', /group_by\("status", "currency"\)\.sum/],
          ['list("/orders", expand: ["customer"]).group_by("customer").count', /without expand/],
          ['list("/orders", colour: "red").sum("amount")', /colour/],
        ] as const)
          expect((await execute(shop, list)).error.message).toMatch(message)
      })

      it('are of at most 10,000 groups', async () => {
        const emails = Array.from({ length: 10_001 }, (_, index) => ({ email: `group-${index}@example.com` }))
        await copied(shop, 'customers', 'cus', emails)
        expect((await execute(shop, 'list("/customers").group_by("id").count')).error.message).toMatch(
          /more than 10000 groups/,
        )
        expect((await execute(shop, 'list("/customers").group_by("created_at").count.size')).result).toBeGreaterThan(5)
      })

      it('are not grouped by texts of strangers, which answers name by the fields of rows', async () => {
        const { error } = await execute(shop, 'list("/customers").group_by("name").count')
        expect(error.message).toMatch(/cannot use "name"/)
        const rows = await execute(
          shop,
          'list("/customers", query: "mara").group_by { |row| row["name"] }.transform_values(&:size)',
        )
        expect(rows.written_by_strangers).toContain('customer.name')
      })
    },
    { DEMO_DATA: 'shop' },
  )
})
