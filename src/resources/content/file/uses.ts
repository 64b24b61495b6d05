import { type RawBuilder, sql } from 'kysely'
import type { Noun } from '../../../contract/declarations/noun.ts'
import { containing } from '../../../records/containing.ts'
import type { Context } from '../../../records/context.ts'
import type { FileColumn } from '../../../records/extensions.ts'
import { Product } from '../../catalog/product/product.ts'
import { Account } from '../../company/account/account.ts'
import { BlogPost } from '../blog-post/blog-post.ts'
import { Experience } from '../experience/experience.ts'
import { LegalPage } from '../legal-page/legal-page.ts'
import type { FileRow } from './file.ts'

type InAccount = Pick<Context, 'db' | 'accountId' | 'services'>

const ALWAYS = sql<boolean>`1 = 1`
const OPEN = sql<boolean>`access_type = 'open'`
const SECRET = sql<boolean>`access_type = 'secret'`
/** JSON columns that contain the ids of files. These files cannot be deleted. */
const KEEPING_COLUMNS: readonly FileColumn[] = [
  { noun: Product, column: 'media', name: 'name', words: 'the gallery of product', when: ALWAYS },
  { noun: Experience, column: 'content', name: 'name', words: 'experience', when: ALWAYS },
  { noun: Account, column: 'branding', name: 'name', words: 'the branding of account', when: ALWAYS },
]

/** Columns whose texts contain the URLs of files, which does not prevent their deletion. */
const SHOWING_COLUMNS = [
  { noun: BlogPost, column: 'content', name: 'title' },
  { noun: BlogPost, column: 'featured_image_url', name: 'title' },
  { noun: Product, column: 'body_html', name: 'name' },
  { noun: Experience, column: 'content', name: 'name' },
  { noun: LegalPage, column: 'content', name: 'title' },
]

function keepingColumns({ services }: InAccount): readonly FileColumn[] {
  return [...KEEPING_COLUMNS, ...services.fileColumns]
}

export interface Use {
  resource: string
  id: string
  name: string | null
  /** Whether the use prevents the deletion of the file. */
  keeps: boolean
}

/** Returns whether a gallery, a text, the branding, an open experience or a use by a feature shows a file publicly. */
async function isShown(account: InAccount, file: string): Promise<boolean> {
  const among = { most: 1, among: SEARCHED_ROWS, name: 'id' }
  for (const { noun, column, when } of keepingColumns(account)) {
    const shows = noun === Experience ? OPEN : when
    if ((await usersOf(account, { ...among, noun, holds: holdsId(column, file), when: shows })).length > 0) return true
  }
  for (const { noun, column } of SHOWING_COLUMNS) {
    const when = noun === Experience ? OPEN : ALWAYS
    if ((await usersOf(account, { ...among, noun, holds: holdsAddress(column, file), when })).length > 0) return true
  }
  return false
}

/** Returns whether an experience for buyers contains a file. Pictures that only appear in its texts do not count. */
async function isHeldForBuyers(account: InAccount, file: string, isPicture: boolean): Promise<boolean> {
  const [listed, linked] = [holdsId('content', file), holdsAddress('content', file)]
  const holds = isPicture ? listed : sql<boolean>`(${listed} or ${linked})`
  const users = await usersOf(account, { noun: Experience, name: 'id', holds, when: SECRET, most: 1 })
  return users.length > 0
}

/** Describes a use that prevents the deletion of a file; null if there is none. */
export async function findBlockingUse(context: Context, file: string): Promise<string | null> {
  for (const { noun, column, words, when } of keepingColumns(context)) {
    const [user] = await usersOf(context, { noun, name: 'id', holds: holdsId(column, file), when, most: 1 })
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
  const add = (noun: Noun, keeps: boolean, rows: UsingRow[]) => {
    for (const row of rows) if (!found.has(row.id)) found.set(row.id, { resource: noun.name, keeps, ...row })
  }
  for (const { noun, column, name, when } of keepingColumns(context))
    add(noun, true, await usersOf(context, { noun, name, holds: holdsId(column, file), when, ...bounds }))
  for (const { noun, column, name } of SHOWING_COLUMNS)
    add(noun, false, await usersOf(context, { noun, name, holds: holdsAddress(column, file), ...bounds }))
  return [...found.values()]
}

interface UsingRow {
  id: string
  name: string | null
}

interface UsesQuery {
  noun: Noun
  /** The column that contains the name of the row. */
  name: string
  holds: RawBuilder<boolean>
  when?: RawBuilder<boolean>
  most: number
  /** The number of newest rows that are searched; all rows if absent. */
  among?: number
}

async function usersOf(
  { db, accountId }: InAccount,
  { noun, name, holds, when = ALWAYS, most, among }: UsesQuery,
): Promise<UsingRow[]> {
  const table = sql.table(noun.plural)
  const newest = sql`select id from ${table} where account_id = ${accountId} order by id desc limit ${among}`
  const { rows } = await sql<UsingRow>`
    select id, ${sql.ref(name)} as name from ${table}
    where account_id = ${accountId} and ${when} and ${holds} ${among === undefined ? sql`` : sql`and id in (${newest})`}
    order by id desc limit ${most}`.execute(db)
  return rows
}

function holdsId(column: string, file: string): RawBuilder<boolean> {
  return containing(column, `"${file}"`)
}

function holdsAddress(column: string, file: string): RawBuilder<boolean> {
  return containing(column, `/files/${file}/`)
}

/** Returns whether an experience for buyers contains the file and the shop does not show it publicly. */
export async function isForBuyers(account: InAccount, file: FileRow): Promise<boolean> {
  if (!file.in_experience) return false
  return (await isHeldForBuyers(account, file.id, isPicture(file))) && !(await isShown(account, file.id))
}

export function isPicture({ detected_type }: Pick<FileRow, 'detected_type'>): boolean {
  return detected_type?.startsWith('image/') ?? false
}
