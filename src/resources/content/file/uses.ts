import { type RawBuilder, sql } from 'kysely'
import { containing } from '../../../records/containing.ts'
import type { Context } from '../../../records/context.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import type { FileRow } from './file.ts'

type InAccount = Pick<Context, 'db' | 'accountId'>

const ALWAYS = sql<boolean>`1 = 1`
const OPEN = sql<boolean>`access_type = 'open'`
const SECRET = sql<boolean>`access_type = 'secret'`
const PLANNED = sql<boolean>`status in ('scheduled', 'publishing')`

/** JSON columns that contain the ids of files, which prevents their deletion. */
const KEEPING_COLUMNS = [
  { table: 'products', column: 'media', name: 'name', words: 'the gallery of product', when: ALWAYS },
  { table: 'experiences', column: 'content', name: 'name', words: 'experience', when: ALWAYS },
  { table: 'social_posts', column: 'media', name: 'content', words: 'the scheduled social post', when: PLANNED },
  { table: 'social_posts', column: 'overrides', name: 'content', words: 'the scheduled social post', when: PLANNED },
  { table: 'accounts', column: 'branding', name: 'name', words: 'the branding of account', when: ALWAYS },
] as const

/** Columns whose texts contain the URLs of files, which does not prevent their deletion. */
const SHOWING_COLUMNS = [
  { table: 'blog_posts', column: 'content', name: 'title' },
  { table: 'blog_posts', column: 'featured_image_url', name: 'title' },
  { table: 'products', column: 'body_html', name: 'name' },
  { table: 'experiences', column: 'content', name: 'name' },
  { table: 'legal_pages', column: 'content', name: 'title' },
] as const

type Table = (typeof KEEPING_COLUMNS | typeof SHOWING_COLUMNS)[number]['table']

export interface Use {
  table: Table
  id: string
  name: string | null
  /** Whether the use prevents the deletion of the file. */
  keeps: boolean
}

/** Whether a gallery, text, planned post, the branding or an open experience shows a file publicly. */
async function isShown(account: InAccount, file: string): Promise<boolean> {
  const among = { most: 1, among: SEARCHED_ROWS, name: 'id' }
  for (const { table, column, when } of KEEPING_COLUMNS) {
    const shows = table === 'experiences' ? OPEN : when
    if ((await usersOf(account, { ...among, table, holds: holdsId(column, file), when: shows })).length > 0) return true
  }
  for (const { table, column } of SHOWING_COLUMNS) {
    const when = table === 'experiences' ? OPEN : ALWAYS
    if ((await usersOf(account, { ...among, table, holds: holdsAddress(column, file), when })).length > 0) return true
  }
  return false
}

/** Pictures that only appear in the texts of an experience do not count. */
async function isHeldForBuyers(account: InAccount, file: string, isPicture: boolean): Promise<boolean> {
  const [listed, linked] = [holdsId('content', file), holdsAddress('content', file)]
  const holds = isPicture ? listed : sql<boolean>`(${listed} or ${linked})`
  const users = await usersOf(account, { table: 'experiences', name: 'id', holds, when: SECRET, most: 1 })
  return users.length > 0
}

/** Describes a use that prevents the deletion of a file; null if there is none. */
export async function findBlockingUse(context: Context, file: string): Promise<string | null> {
  for (const { table, column, words, when } of KEEPING_COLUMNS) {
    const [user] = await usersOf(context, { table, name: 'id', holds: holdsId(column, file), when, most: 1 })
    if (user) return `${words} ${user.id}`
  }
  return null
}

/** The number of rows to search in each table, because searching all texts of a large shop would block other requests. */
const SEARCHED_ROWS = 2_000

/** Returns at most `most` uses per column. A row whose use prevents the deletion is listed only once. */
export async function usesOf(context: Context, file: string, most: number): Promise<Use[]> {
  const bounds = { most, among: SEARCHED_ROWS }
  const found = new Map<string, Use>()
  const add = (table: Table, keeps: boolean, rows: UsingRow[]) => {
    for (const row of rows) if (!found.has(row.id)) found.set(row.id, { table, keeps, ...row })
  }
  for (const { table, column, name, when } of KEEPING_COLUMNS)
    add(table, true, await usersOf(context, { table, name, holds: holdsId(column, file), when, ...bounds }))
  for (const { table, column, name } of SHOWING_COLUMNS)
    add(table, false, await usersOf(context, { table, name, holds: holdsAddress(column, file), ...bounds }))
  return [...found.values()]
}

interface UsingRow {
  id: string
  name: string | null
}

interface UsesQuery {
  table: Table
  name: string
  holds: RawBuilder<boolean>
  when?: RawBuilder<boolean>
  most: number
  /** The number of newest rows that are searched; all rows if absent. */
  among?: number
}

function usersOf(
  context: InAccount,
  { table, name, holds, when = ALWAYS, most, among }: UsesQuery,
): Promise<UsingRow[]> {
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

function holdsAddress(column: string, file: string): RawBuilder<boolean> {
  return containing(column, `/files/${file}/`)
}

/** Whether an experience for buyers contains the file and the shop does not show it publicly. */
export async function isForBuyers(account: Pick<Context, 'db' | 'accountId'>, file: FileRow): Promise<boolean> {
  if (!file.in_experience) return false
  return (await isHeldForBuyers(account, file.id, isPicture(file))) && !(await isShown(account, file.id))
}

export function isPicture({ detected_type }: Pick<FileRow, 'detected_type'>): boolean {
  return detected_type?.startsWith('image/') ?? false
}
