import { ApiError, missingResource } from '../contract/declarations/errors.ts'
import type { Operation } from '../contract/declarations/operation.ts'
import type { RoleRight } from '../contract/declarations/role-rights.ts'
import { parseQuery } from '../contract/requests/query.ts'
import type { Scope } from '../database/database.ts'
import type { Context } from '../records/context.ts'
import { findRow, findRows } from '../records/records.ts'
import type { Tables } from '../resources/tables.ts'
import type { Contexts } from './contexts.ts'
import { parseExpand } from './expand.ts'
import { requirePermission } from './permit.ts'
import type { Presenter } from './present.ts'
import type { Caller } from './request.ts'
import { type Route, Router } from './route.ts'

export interface ListRequest {
  path: string
  query: Record<string, unknown>
  caller: Caller
  scope: Scope<Tables>
}

interface ListReaderParts {
  operations: Operation<Context>[]
  presenter: Presenter
  contexts: Pick<Contexts, 'look'>
}

const PAGE = 1_000

/** Reads lists for programs that work in batches: first the ids of all rows, and later the current rows of each batch. */
export class ListReader {
  readonly #parts: ListReaderParts
  readonly #router: Router

  constructor(parts: ListReaderParts) {
    this.#parts = parts
    this.#router = new Router(parts.operations)
  }

  needsOf({ path }: Pick<ListRequest, 'path'>): RoleRight {
    return this.#router.find('GET', path).operation.needs
  }

  /** Returns the ids of all rows in the order of the list. Throws if there are more than `most`, and the signal's reason after an abort. */
  async ids(asked: ListRequest, most: number, signal?: AbortSignal): Promise<string[]> {
    const { route, query } = this.#read(asked)
    return this.#look(asked, async (context) => {
      const target = await targetOf(context, route)
      const ids: string[] = []
      for (let after: string | undefined; ; after = ids.at(-1)) {
        signal?.throwIfAborted()
        const page = { ...query, limit: PAGE, starting_after: after }
        const call = { target, path: route.parameters, input: {}, query: page }
        const result = await route.operation.apply(context, call)
        if (result.kind !== 'list') throw notForBatches(route.operation)
        ids.push(...result.rows.map(idOf))
        if (ids.length > most) throw tooMany(most)
        if (!result.hasMore) return ids
      }
    })
  }

  /** Returns the rows with these ids as the list shows them, in the order of the ids. Deleted rows are omitted. */
  rows(asked: ListRequest, ids: readonly string[]): Promise<Record<string, unknown>[]> {
    const { route, expansion } = this.#read(asked)
    const { noun } = route.operation
    return this.#look(asked, async (context) => {
      const byId = await findRows(context, noun, ids)
      return this.#parts.presenter.present(
        context,
        noun,
        ids.flatMap((id) => byId.get(id) ?? []),
        expansion,
      )
    })
  }

  #look<Value>({ scope, caller }: ListRequest, work: (context: Context) => Promise<Value>): Promise<Value> {
    return this.#parts.contexts.look(scope, caller, work)
  }

  #read({ path, query, caller }: ListRequest) {
    const route = this.#router.find('GET', path)
    const { operation } = route
    requirePermission(operation, caller, false)
    if (!operation.answersList || operation.noun.prefix === null || operation.outside) throw notForBatches(operation)
    const { values, expand } = parseQuery(query, operation)
    return { route, query: values, expansion: parseExpand(expand, operation, this.#parts.presenter.findNoun) }
  }
}

function idOf(row: unknown): string {
  if (typeof row === 'object' && row !== null && 'id' in row && typeof row.id === 'string') return row.id
  throw new Error('A row of a list has no id')
}

async function targetOf(context: Context, { operation, address }: Route): Promise<unknown> {
  if (!operation.addressed) return null
  const target = await findRow(context, operation.noun, address ?? '')
  if (!target) throw missingResource(operation.noun.name)
  return target
}

function notForBatches({ method, path }: Operation<Context>): ApiError {
  return new ApiError('parameter_invalid', `${method} ${path} is no list of rows with ids, which each_batch needs.`)
}

function tooMany(most: number): ApiError {
  return new ApiError('invalid_state', `The list has more than ${most} rows. Narrow it with filters.`)
}
