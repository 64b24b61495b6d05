import { type RawBuilder, sql } from 'kysely'
import type { AnswerOf, Noun } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import type { CustomPage } from '../../../records/custom.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { type Asked, readAsked } from '../../../records/search/asked.ts'
import { type FoundIds, idsByWords } from '../../../records/search/by-words.ts'
import { Customer } from '../../audience/customer/customer.ts'
import { Product } from '../../catalog/product/product.ts'
import type { SearchResult } from './search.ts'
import { type Title, titlesOf } from './shown.ts'

/** The number of matching customers and products for which orders are searched. */
const OWNERS_SEARCHED = 5

/** The number of results of each kind if the request names no kind. */
const RESULTS_PER_KIND = 5

interface SearchQuery {
  query: string
  kind?: string | undefined
  limit: number | null
}

type SearchHit = AnswerOf<typeof SearchResult>

/** Finds the resources that match words or an id and that the caller may read. Exact matches are first, the others sorted by kind. */
export async function findAnything(
  context: Context,
  { query, kind, limit }: SearchQuery,
  kinds: readonly Noun[],
): Promise<CustomPage<SearchHit>> {
  const asked = readAsked(query)
  if (asked.words.length === 0) return { rows: [], hasMore: false }
  const wanted = kinds.filter((noun) => (kind === undefined || noun.name === kind) && context.mayRead(noun))
  const atMost = limit ?? 20
  const ofEach = kind === undefined ? Math.min(atMost, RESULTS_PER_KIND) : atMost
  const found = await idsOf(context, wanted, asked, ofEach)
  const base = await dashboardOf(context)
  const groups: (SearchHit & Title)[][] = []
  for (const noun of wanted) {
    const ids = found.get(noun.name) ?? []
    const titles = await titlesOf(context, noun, ids, asked.exact)
    groups.push(
      ids.flatMap((id) => {
        const title = titles.get(id)
        return title ? [{ kind: noun.name, id, ...title, path: `${base}/${noun.plural}/${id}` }] : []
      }),
    )
  }
  return { rows: inOrder(groups, atMost), hasMore: false }
}

/** Returns the ids of the results for each kind; the best match is first. */
async function idsOf(context: Context, wanted: readonly Noun[], asked: Asked, most: number): Promise<FoundIds> {
  const related = [Customer, Product].filter(
    (noun) => !wanted.some(({ name }) => name === noun.name) && context.mayRead(noun),
  )
  const named = [...wanted, ...related].filter(({ foundBy }) => foundBy.length > 0)
  const byWords = await idsByWords(context, named, asked, most)
  const byId = await idsById(context, wanted, asked, most)
  const found: FoundIds = new Map()
  for (const { name, prefix } of wanted) {
    const related = await idsByRelation(context, name, byWords, most)
    const ids = [...(prefix === asked.ids?.prefix ? byId : []), ...(byWords.get(name) ?? []), ...related]
    found.set(name, [...new Set(ids)].slice(0, most))
  }
  return found
}

/** Selects results in turn from all kinds, so that no kind uses up the limit. Exact matches are listed first. */
function inOrder(groups: (SearchHit & Title)[][], most: number): SearchHit[] {
  const kept = new Set<SearchHit>()
  for (let place = 0; kept.size < most && groups.some((group) => group.length > place); place++)
    for (const { [place]: row } of groups) if (row && kept.size < most) kept.add(row)
  const rows = groups.flat().filter((row) => kept.has(row))
  const sorted = [...rows.filter(({ exact }) => exact), ...rows.filter(({ exact }) => !exact)]
  return sorted.map(({ exact: _, ...row }) => row)
}

async function dashboardOf(context: Context): Promise<string> {
  const account = rowsOf(context, 'accounts').select('subdomain').where('id', '=', context.accountId)
  return `/dashboard/${(await account.executeTakeFirstOrThrow()).subdomain}`
}

/** Returns ids that start with the id in the query. */
async function idsById(
  { db, accountId }: Context,
  nouns: readonly Noun[],
  { ids }: Asked,
  most: number,
): Promise<string[]> {
  const noun = ids && nouns.find(({ prefix }) => prefix === ids.prefix)
  if (!noun) return []
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.table(noun.plural)} where account_id = ${accountId} and id >= ${ids.first} and id <= ${ids.last}
    order by id limit ${sql.lit(most)}`.execute(db)
  return rows.map(({ id }) => id)
}

type IdRow = { id: string }

/** Finds rows by their customer or product, newest first. Such rows are not in the search index, because every sale would write to it. */
async function idsByRelation(context: Context, kind: string, found: FoundIds, most: number): Promise<string[]> {
  const customers = (found.get('customer') ?? []).slice(0, OWNERS_SEARCHED)
  const products = (found.get('product') ?? []).slice(0, OWNERS_SEARCHED)
  switch (kind) {
    case 'order':
      return newest(context, most, [
        ...customers.map((customer) => ofCustomer(context, 'orders', customer, most)),
        ...products.map((product) => ofProduct(context, product, most)),
      ])
    case 'subscription':
      return newest(
        context,
        most,
        customers.map((customer) => ofCustomer(context, 'subscriptions', customer, most)),
      )
    case 'invoice':
      return newest(
        context,
        most,
        customers.map((customer) => ofCustomer(context, 'invoices', customer, most)),
      )
    default:
      return []
  }
}

/** Returns the newest ids. Sorting by id is sorting by creation time. */
async function newest({ db }: Context, most: number, queries: RawBuilder<IdRow>[]): Promise<string[]> {
  if (queries.length === 0) return []
  const each = queries.map((query, at) => sql`select id from (${query}) as ${sql.id(`owner_${at}`)}`)
  const { rows } = await sql<IdRow>`${sql.join(each, sql` union all `)}`.execute(db)
  const ids = [...new Set(rows.map(({ id }) => id))]
  return ids.sort().reverse().slice(0, most)
}

function ofCustomer({ accountId }: Context, table: string, customer: string, most: number): RawBuilder<IdRow> {
  return sql`select id from ${sql.table(table)} where account_id = ${accountId} and customer = ${customer}
    order by id desc limit ${sql.lit(most)}`
}

/** Line items are sorted by id, which is the order in which they were sold. */
function ofProduct({ accountId }: Context, product: string, most: number): RawBuilder<IdRow> {
  return sql`select "order" as id from order_items where account_id = ${accountId} and product = ${product}
    order by order_items.id desc limit ${sql.lit(most)}`
}
