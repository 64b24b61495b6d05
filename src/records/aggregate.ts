import { type AliasedRawBuilder, sql } from 'kysely'
import { invalidParameter } from '../contract/declarations/errors.ts'
import type { FieldSpec } from '../contract/declarations/field.ts'
import type { Noun } from '../contract/declarations/noun.ts'
import { isComparable } from '../contract/declarations/parameter.ts'
import type { Aggregate, Group } from '../contract/values/aggregate.ts'
import { didYouMean } from '../contract/values/nearest.ts'
import { listed } from '../format/lists.ts'
import { aOrAn } from '../format/names.ts'
import type { Context } from './context.ts'
import { matching, type PageRequest } from './page.ts'

const MOST_GROUPS = 10_000
/** The maximum length of a group's key in characters. Together with MOST_GROUPS, it limits the memory for groups. */
const LONGEST_KEY = 500
/** SQLite refuses sums beyond 2^63, so values are divided by this number, and quotients and remainders are summed separately. */
const LOW = 2 ** 32

type Key = Group[0][number]

/**
 * Computes a figure over all rows of a list in the database, ignoring null values. Throws a 400 for a field whose stored value
 * differs from the one in responses, for a sum that mixes currencies, and for too many groups.
 */
export async function aggregateRows(
  context: Context,
  noun: Noun,
  narrow: PageRequest['narrow'],
  { figure, field, by }: Aggregate,
): Promise<Group[]> {
  const keys = by.map((name) => requireField(noun, 'group_by', name, isKey))
  const spec = field === null ? null : requireField(noun, figure, field, figure === 'sum' ? isInteger : isComparable)
  let query = (await matching(context, noun, narrow)).clearSelect().select(figureOf(figure, field))
  const mixes =
    figure === 'sum' && spec?.unit === 'minor units' && 'currency' in noun.fields && !by.includes('currency')
  if (mixes) query = query.select(currenciesOf(field))
  for (const [index, name] of by.entries())
    query = query.select(keyOf(name, keys[index]).as(`key${index}`)).groupBy(`key${index}`)
  const found = await query.limit(sql.lit(MOST_GROUPS + 1)).execute()
  if (found.length > MOST_GROUPS)
    throw invalidParameter('group_by', `makes more than ${MOST_GROUPS} groups of these rows; filter the list`)
  if (mixes) requireOneCurrency(found, by)
  const groups = found.map((row): Group => {
    const values = keys.map(({ type }, index) =>
      type === 'boolean' ? row[`key${index}`] === 1 : plain(row[`key${index}`]),
    )
    return [values, figure === 'sum' ? joined(row) : plain(row.figure)]
  })
  return groups.sort(([a], [b]) => compare(a, b))
}

function requireField(noun: Noun, param: string, name: string, fits: (spec: FieldSpec) => boolean): FieldSpec {
  const fields = Object.entries(noun.fields).filter(([, { spec }]) => isShownAsStored(spec) && fits(spec))
  const found = fields.find(([one]) => one === name)
  if (found) return found[1].spec
  const names = fields.map(([one]) => one)
  throw invalidParameter(
    param,
    `cannot use "${name}"${didYouMean(name, names)}; it takes these fields of ${aOrAn(noun.name)}: ${listed(names)}. ` +
      `map { |row| row["${name}"] } reads the rows instead`,
  )
}

function isShownAsStored({ use, foreignAddress, relation, secret }: FieldSpec): boolean {
  return use === 'stored' && !foreignAddress && !secret && relation?.collapsedTo === undefined
}

function isInteger({ type }: FieldSpec): boolean {
  return type === 'integer'
}

/**
 * Returns whether rows can be grouped by a field. Texts by strangers are excluded, because the warning about such texts in an
 * answer covers only fields of the rows that a program has read.
 */
function isKey(spec: FieldSpec): boolean {
  if (spec.type === 'string') return !spec.long && !spec.byStrangers && Number(spec.json?.maxLength ?? 0) <= LONGEST_KEY
  return spec.type === 'boolean' || isComparable(spec)
}

function figureOf(figure: Aggregate['figure'], field: string | null): AliasedRawBuilder<unknown, string>[] {
  if (field === null) return [sql`count(*)`.as('figure')]
  const column = sql.ref(field)
  if (figure !== 'sum') return [sql`${sql.raw(figure === 'minimum' ? 'min' : 'max')}(${column})`.as('figure')]
  const digits = (of: string) => sql`cast(coalesce(sum(${column} ${sql.raw(of)} ${sql.lit(LOW)}), 0) as text)`
  return [digits('/').as('high'), digits('%').as('low')]
}

function currenciesOf(field: string | null): AliasedRawBuilder<unknown, string>[] {
  const currency = sql`case when ${sql.ref(String(field))} is not null then currency end`
  return [sql`min(${currency})`.as('one'), sql`max(${currency})`.as('other')]
}

function requireOneCurrency(found: Record<string, unknown>[], by: string[]): void {
  const currencies = [...new Set(found.flatMap(({ one, other }) => [one, other]).filter((code) => code !== null))]
  if (currencies.length < 2) return
  const grouped = [...by, 'currency'].map((name) => `"${name}"`).join(', ')
  throw invalidParameter(
    'sum',
    `would add amounts of different currencies, such as ${currencies[0]} and ${currencies[1]}; use group_by(${grouped}).sum(…)`,
  )
}

/** Returns the SQL of a group's key. A stored flag that is null counts as false, as in responses. */
function keyOf(name: string, spec: FieldSpec | undefined) {
  return spec?.type === 'boolean' ? sql`coalesce(${sql.ref(name)}, 0)` : sql`${sql.ref(name)}`
}

function plain(value: unknown): string | number | null {
  return typeof value === 'string' || typeof value === 'number' ? value : null
}

function joined({ high, low }: Record<string, unknown>): string {
  return String(BigInt(String(high)) * BigInt(LOW) + BigInt(String(low)))
}

/**
 * Orders groups by their keys, null first and texts by UTF-16 code units. This is not left to the database, because the engines
 * collate differently.
 */
function compare(a: Key[], b: Key[]): number {
  for (const [index, key] of a.entries()) {
    const other = b[index] ?? null
    if (key === other) continue
    if (key === null || other === null) return key === null ? -1 : 1
    return key < other ? -1 : 1
  }
  return 0
}
