import { rememberedOf } from '../database/remembered.ts'
import type { Tables } from '../resources/tables.ts'
import type { Context } from './context.ts'

interface Question {
  /** Says with its values which query it is: the same name is the same query. */
  name: string
  /** All tables that it reads. */
  tables: readonly (keyof Tables & string)[]
}

/**
 * Reads what a transaction may ask for again, once as long as it does not write to the tables. What is asked for ahead of its use, together
 * with other things, need not be waited for then.
 */
export function readOnce<Value>(
  { db }: Pick<Context, 'db'>,
  { name, tables }: Question,
  read: () => Promise<Value>,
): Promise<Value> {
  const remembered = rememberedOf(db)
  const known = remembered?.fact(name) as Promise<Value> | undefined
  if (known) return known
  const found = read()
  remembered?.putFact(name, tables, found)
  return found
}

/** Notes what `readOnce` would find, where a rule knows it already. */
export function knowing<Value>({ db }: Pick<Context, 'db'>, { name, tables }: Question, value: Value): void {
  rememberedOf(db)?.putFact(name, tables, Promise.resolve(value))
}

/** A question that is asked of several things, each by its id. */
interface QuestionOfEach extends Omit<Question, 'name'> {
  /** What is asked: `tags of`. */
  what: string
}

export function questionOf({ what, tables }: QuestionOfEach, id: string): Question {
  return { name: `${what} ${id}`, tables }
}

/** As `readOnce`, of several things at once: `read` is given the ids of those that were not asked about before, in one query. */
export async function readEachOnce<Value>(
  context: Pick<Context, 'db'>,
  question: QuestionOfEach,
  ids: readonly string[],
  read: (ids: string[]) => Promise<Map<string, Value>>,
): Promise<Map<string, Value | undefined>> {
  const remembered = rememberedOf(context.db)
  const unknown = ids.filter((id) => remembered?.fact(questionOf(question, id).name) === undefined)
  const found = unknown.length > 0 ? read([...new Set(unknown)]) : Promise.resolve(new Map<string, Value>())
  const values = ids.map((id) => readOnce(context, questionOf(question, id), async () => (await found).get(id)))
  const all = await Promise.all(values)
  return new Map(ids.map((id, index) => [id, all[index]]))
}

/** Sends a change of a table that changes the answer to one of all questions about it; to be noted by `knowing` afterwards. */
export function changingOnly<Result>({ db }: Pick<Context, 'db'>, { name }: Question, send: () => Result): Result {
  const remembered = rememberedOf(db)
  return remembered ? remembered.changing([name], send) : send()
}

/** Whether rows that were read or written before are remembered, so that to find them again costs nothing. */
export function isRemembering({ db }: Pick<Context, 'db'>): boolean {
  return rememberedOf(db) !== undefined
}
