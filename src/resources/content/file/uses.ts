import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../../records/context.ts'
import { containing } from '../../../records/page.ts'
import { rowsOf } from '../../../records/rows-of.ts'

const ALWAYS = sql<boolean>`1 = 1`
/** Social posts that are yet to go out, or are on their way. */
const PLANNED = sql<boolean>`status in ('scheduled', 'publishing')`

/** What keeps a file: tables with a column that holds ids of files somewhere in JSON. */
const KEEPING = [
  { table: 'products', column: 'media', name: 'name', words: 'the gallery of product', when: ALWAYS },
  { table: 'experiences', column: 'content', name: 'name', words: 'experience', when: ALWAYS },
  { table: 'social_posts', column: 'media', name: 'content', words: 'the scheduled social post', when: PLANNED },
  { table: 'social_posts', column: 'overrides', name: 'content', words: 'the scheduled social post', when: PLANNED },
] as const

/** What shows a file by its address, and loses it when the file is deleted. */
const SHOWING = [
  { table: 'blog_posts', column: 'content', name: 'title' },
  { table: 'blog_posts', column: 'featured_image_url', name: 'title' },
  { table: 'products', column: 'body_html', name: 'name' },
  { table: 'experiences', column: 'content', name: 'name' },
  { table: 'legal_pages', column: 'content', name: 'title' },
] as const

type Table = (typeof KEEPING | typeof SHOWING)[number]['table']

/** A place where a file is. */
export interface Use {
  table: Table
  id: string
  name: string | null
  /** It keeps the file from being deleted. */
  keeps: boolean
}

/** What keeps a file from being deleted, in words, or null. */
export async function keptBy(context: Context, file: string): Promise<string | null> {
  for (const { table, column, words, when } of KEEPING) {
    const [user] = await usersOf(context, { table, name: 'id', holds: holdsId(column, file), when, most: 1 })
    if (user) return `${words} ${user.id}`
  }
  return null
}

/** How many of each kind are looked at: reading all texts of a large shop would hold up everybody else. */
const LOOKED_AT = 2_000

/** Where a file is, at most so many places of each kind. A place that keeps it is not named again for showing it. */
export async function usesOf(context: Context, file: string, most: number): Promise<Use[]> {
  const bounds = { most, among: LOOKED_AT }
  const found = new Map<string, Use>()
  const add = (table: Table, keeps: boolean, rows: Row[]) => {
    for (const row of rows) if (!found.has(row.id)) found.set(row.id, { table, keeps, ...row })
  }
  for (const { table, column, name, when } of KEEPING)
    add(table, true, await usersOf(context, { table, name, holds: holdsId(column, file), when, ...bounds }))
  for (const { table, column, name } of SHOWING)
    add(table, false, await usersOf(context, { table, name, holds: containing(column, `/files/${file}/`), ...bounds }))
  return [...found.values()]
}

interface Row {
  id: string
  name: string | null
}

interface Asked {
  table: Table
  /** The column that it is known by. */
  name: string
  holds: RawBuilder<boolean>
  when?: RawBuilder<boolean>
  most: number
  /** Only so many of the newest are looked at. */
  among?: number
}

function usersOf(context: Context, { table, name, holds, when = ALWAYS, most, among }: Asked): Promise<Row[]> {
  const found = rowsOf(context, table)
    .select(['id', sql<string | null>`${sql.ref(name)}`.as('name')])
    .where(when)
    .where(holds)
    .orderBy('id', 'desc')
    .limit(most)
  if (among === undefined) return found.execute()
  const newest = rowsOf(context, table).select('id').orderBy('id', 'desc').limit(among)
  return found.where('id', 'in', newest).execute()
}

function holdsId(column: string, file: string): RawBuilder<boolean> {
  return containing(column, `"${file}"`)
}
