import { createHash } from 'node:crypto'
import { readGiven } from '../../contract/requests/given.ts'
import { DEFAULT_LIMIT } from '../../contract/requests/query.ts'
import { counted } from '../../format/counts.ts'
import type { OperationAnswer } from '../../pipeline/request.ts'
import type { ProgramRequest } from './request-path.ts'

/** Query parameters that do not change which rows a list contains. */
const PAGING = new Set(['limit', 'starting_after', 'expand'])

const SHOWN_PATH = 300
const MAX_WARNINGS = 10

interface ListProgress {
  path: string
  seen: number
  complete: boolean
}

/** Records which lists a program has read, and whether it has read all of their pages. */
export class PageWatch {
  readonly #lists = new Map<string, ListProgress>()

  /** Records a call. `listing` means that the Ruby method `list` made the call and reads the next pages as needed. */
  note(request: ProgramRequest, answer: Pick<OperationAnswer, 'status' | 'body'>, listing: boolean): void {
    const { data, has_more: hasMore } = answer.body
    if (request.method !== 'GET' || answer.status !== 200 || !Array.isArray(data) || typeof hasMore !== 'boolean')
      return
    if (hasMore && (listing || isSample(request))) return
    const key = listKey(request)
    const before = this.#lists.get(key)
    const continues = before !== undefined && request.query.starting_after !== undefined
    this.#lists.set(key, {
      path: request.path.slice(0, SHOWN_PATH),
      seen: continues ? before.seen + data.length : Math.max(before?.seen ?? 0, data.length),
      complete: before?.complete === true || !hasMore,
    })
  }

  warnings(): string[] {
    return [...this.#lists.values()]
      .filter((list) => !list.complete)
      .slice(0, MAX_WARNINGS)
      .map(
        ({ path, seen }) =>
          `GET ${path} has more than the ${counted(seen, 'item')} read: the last page has ` +
          `has_more: true. list("${path}") reads every page.`,
      )
  }
}

/** A program that requests fewer rows than the default wants a sample, not the whole list. */
function isSample({ query }: ProgramRequest): boolean {
  return query.limit !== undefined && Number(query.limit) < DEFAULT_LIMIT
}

/** Returns a digest of a list's path and filters, independent of their order. A digest is short even if the filters are long. */
function listKey({ path, query }: ProgramRequest): string {
  const filters = [...readGiven(query)]
    .filter(([name]) => !PAGING.has(name))
    .map(([name, { values, keys }]) => [name, values.map(String), [...keys].map(([key, of]) => [key, of.map(String)])])
  const key = JSON.stringify([path, filters.map((filter) => JSON.stringify(filter)).sort()])
  return createHash('sha256').update(key).digest('base64')
}
