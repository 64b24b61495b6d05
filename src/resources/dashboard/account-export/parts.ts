import type { Noun } from '../../../contract/declarations/noun.ts'
import { columnsOf, decode } from '../../../records/columns.ts'
import type { Context } from '../../../records/context.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { rowsAfter } from '../../../records/table-page.ts'
import { merchantFileUrl } from '../../content/file/addresses.ts'
import { File } from '../../content/file/file.ts'

/** The maximum number of rows in memory; the longest rows take a few hundred kilobytes each. */
const PAGE_ROWS = 50

type Values = Record<string, unknown>

/** The lifetime of file URLs. They work longer than the archive, which expires seven days after it is complete. */
const KEPT_SECONDS = 8 * 24 * 60 * 60

export interface ExportPart {
  table: string
  key: readonly string[]
  /** Returns the exported fields of a row, which the function may modify. */
  shown(row: Values, context: Context): Values
}

/** Returns the parts for nouns, then those for tables without a noun. */
export function exportParts(nouns: readonly Noun[], tables: readonly ExportPart[]): ExportPart[] {
  return [...nouns.map((noun) => (noun.name === File.name ? FILES : partOfNoun(noun))), ...TABLES, ...tables]
}

/** Exports all fields of a noun except derived and hidden ones and those that grant access. */
function partOfNoun(noun: Noun): ExportPart {
  const names = shownColumns(noun)
  return {
    table: noun.plural,
    key: ['id'],
    shown: (raw) => ({ id: raw.id, object: noun.name, ...pick(decode(noun, raw), names) }),
  }
}

function shownColumns(noun: Noun): string[] {
  const { stored } = columnsOf(noun)
  return stored
    .map(([name]) => name)
    .filter((name) => !Object.hasOwn(noun.hidden, name) && !noun.notInEvents.includes(name))
}

const FILES: ExportPart = {
  ...partOfNoun(File),
  shown: (raw, context) => {
    const row = decode(File, raw)
    return {
      ...pick(row, shownColumns(File)),
      object: File.name,
      file_url: merchantFileUrl(context, row, KEPT_SECONDS),
    }
  },
}

/** Tables without a noun, with their key and the other exported columns. */
const TABLES: ExportPart[] = [
  partOfTable('customer_tags', ['customer_id', 'tag_id'], []),
  partOfTable(
    'access_grants',
    ['id'],
    [...['customer', 'product', 'price_variant', 'order_id', 'subscription', 'starts_at', 'ends_at']],
  ),
  partOfTable('x402_configurations', ['id'], ['x402_enabled', 'x402_wallet_address', 'x402_chain', 'created_at']),
  partOfTable('memberships', ['user_id'], ['role', 'created_at']),
]

export function partOfTable(table: string, key: readonly string[], names: readonly string[]): ExportPart {
  return { table, key, shown: (row) => pick(row, [...key, ...names]) }
}

function pick(row: object, names: readonly string[]): Values {
  return Object.fromEntries(names.map((name) => [name, (row as Values)[name]]))
}

/** Returns the contents of `export.json`, which describes the archive. */
export async function aboutExport(
  context: Context,
  parts: readonly ExportPart[],
  { atOneMoment }: { atOneMoment: boolean },
) {
  const account = rowsOf(context, 'accounts').select(['id', 'name', 'subdomain']).where('id', '=', context.accountId)
  return {
    account: await account.executeTakeFirstOrThrow(),
    made_at: context.realNow,
    notes: [
      'Each file holds one JSON object a line. Files appear with the addresses of their bytes.',
      'Secrets are left out: values of tokens, signing secrets, passwords and credentials.',
      atOneMoment
        ? 'All rows are of one moment.'
        : 'Every row is as it was when it was written here; the archive is not of one moment.',
    ],
    files: parts.map(({ table }) => `${table}.jsonl`),
  }
}

export type Read = <Value>(work: (context: Context) => Promise<Value>) => Promise<Value>

/** Yields all rows of a part in pages. Only the last page may be empty. */
export async function* pagesOf(read: Read, part: ExportPart): AsyncGenerator<{ rows: Values[]; isLast: boolean }> {
  let after: Values | null = null
  for (;;) {
    const last: Values | null = after
    const page = await read(async (context) => {
      const rows = await rowsAfter(context, part, last, PAGE_ROWS)
      const end = rows.at(-1)
      const next = end ? Object.fromEntries(part.key.map((column) => [column, end[column]])) : null
      return { next, rows: rows.map((row) => part.shown(row, context)) }
    })
    const isLast = page.rows.length < PAGE_ROWS
    yield { rows: page.rows, isLast }
    if (isLast) return
    after = page.next
  }
}

export function jsonLines(rows: readonly Values[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('')
}
