import type { Noun } from '../contract/declarations/noun.ts'
import type { Operation } from '../contract/declarations/operation.ts'
import { LIST_PARAMETERS } from '../contract/requests/query.ts'
import { aggregateRows } from './aggregate.ts'
import type { Context } from './context.ts'
import { type FilterOf, type Filters, filtersOf } from './filters.ts'
import { type OperationOptions, operation } from './operation.ts'
import { NEWEST_FIRST, type Order, type PageRequest, page, type Select } from './page.ts'

export interface ListOptions extends OperationOptions {
  filters?: Filters
  /** Stored numbers and timestamps without a range filter; all others have one. */
  withoutRanges?: readonly string[]
  order?: Order | ((query: Record<string, unknown>) => Order)
  /** Fields, besides the creation time, by which the dashboard may sort: stored, indexed and never null. */
  sortedBy?: readonly string[]
}

/** Declares the operation `GET /<plural>`, which returns the rows of a noun, filtered and in pages. */
export function list(
  noun: Noun,
  { filters: declared = {}, withoutRanges = [], order = NEWEST_FIRST, sortedBy = [], ...options }: ListOptions,
): Operation<Context> {
  const filters = filtersOf(noun, declared, { withoutRanges, sortedBy })
  const parameters = Object.entries(filters).map(([name, { parameter }]) => [name, parameter])
  const named = { id: `list_${noun.plural}`, ...options }
  return operation(noun, 'list', 'GET', `/${noun.plural}`, named, {
    query: { ...LIST_PARAMETERS, ...Object.fromEntries(parameters) },
    addressed: false,
    sorts: ['created_at', ...sortedBy].flatMap((name) => [`-${name}`, name]),
    aggregate: (context, query, asked) =>
      aggregateRows(context, noun, pageRequest(noun, { filters, order }, query, context).narrow, asked),
    apply: async (context, { query }) => ({
      kind: 'list',
      ...(await page(context, noun, pageRequest(noun, { filters, order }, query, context))),
    }),
  })
}

function pageRequest(
  noun: Noun,
  { filters, order }: { filters: Filters; order: NonNullable<ListOptions['order']> },
  query: Record<string, unknown>,
  context: Context,
): PageRequest {
  const given = Object.entries(filters).filter(([name]) => query[name] !== undefined)
  return {
    order: query.sort === undefined ? defaultOrder(order, query) : orderOf(noun, String(query.sort)),
    limit: query.limit as number,
    startingAfter: query.starting_after as string | undefined,
    idsFirst: given.some(([, { idsFirst }]) => idsFirst),
    narrow: given.length === 0 ? undefined : (select) => narrowed(select, given, query, context),
  }
}

function defaultOrder(order: NonNullable<ListOptions['order']>, query: Record<string, unknown>): Order {
  return typeof order === 'function' ? order(query) : order
}

/**
 * Returns the order for a `sort` parameter. The creation time is sorted by id. Numbers are sorted by an expression, so that range
 * filters do not use the sort index: the embedded engine would then sort all rows of a wide range for each page.
 */
function orderOf(noun: Noun, sort: string): Order {
  const name = sort.replace(/^-/, '')
  const direction = sort.startsWith('-') ? 'desc' : 'asc'
  if (name === 'created_at') return { key: null, direction }
  const key = noun.fields[name]!.spec.type === 'integer' ? `("${name}" + 0)` : `"${name}"`
  return { key, direction, ownIndex: true }
}

async function narrowed(select: Select, given: [string, FilterOf][], query: Record<string, unknown>, context: Context) {
  let result = select
  for (const [name, filter] of given) result = await filter.apply(result, query[name], context)
  return result
}
