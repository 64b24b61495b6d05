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
/** Bounds the memory of the groups, together with their number. */
const LONGEST_KEY = 500
/** SQLite refuses sums beyond 2^63, so the upper and the lower digits are summed separately. */
const LOW = 2 ** 32

type Key = Group[0][number]
type Found = Record<string, Exclude<Key, boolean>>

/**
 * Computes a figure over all rows of a list in the database, without null values. Throws a 400 for fields that responses do not show as
 * they are stored, for a sum over several currencies that are not grouped, and for too many groups.
 */
export async function aggregateRows(
  context: Context,
  noun: Noun,
  narrow: PageRequest['narrow'],
  { figure, field, by }: Aggregate,
): Promise<Group[]> {
  for (const name of by) requireField(noun, 'group_by', name, isKey)
  if (field !== null) requireField(noun, figure, field, figure === 'sum' ? isInteger : isComparable)
  let query = (await matching(context, noun, narrow)).clearSelect().select(figureOf(figure, field))
  const mixes = field !== null && figure === 'sum' && !by.includes('currency') && hasCurrency(noun, field)
  if (mixes) query = query.select(currenciesOf(field))
  for (const [index, name] of by.entries())
    query = query.select(keyOf(noun, name).as(`key${index}`)).groupBy(`key${index}`)
  const found = (await query.limit(sql.lit(MOST_GROUPS + 1)).execute()) as Found[]
  if (found.length > MOST_GROUPS)
    throw invalidParameter('group_by', `makes more than ${MOST_GROUPS} groups of these rows; filter the list`)
  if (mixes) requireOneCurrency(found, by)
  const groups = found.map(
    (one): Group => [by.map((name, index) => shown(noun, name, one[`key${index}`]!)), value(one)],
  )
  return groups.sort(([a], [b]) => compare(a, b))
}

function requireField(noun: Noun, param: string, name: string, fits: (spec: FieldSpec) => boolean): void {
  const fields = Object.entries(noun.fields).filter(([, { spec }]) => isShownAsStored(spec) && fits(spec))
  const names = fields.map(([one]) => one)
  if (names.includes(name)) return
  const given = `"${name}"`
  throw invalidParameter(
    param,
    `cannot use ${given}${didYouMean(name, names)}; it takes these fields of ${aOrAn(noun.name)}: ${listed(names)}. ` +
      `map { |row| row[${given}] } reads the rows instead`,
  )
}

function isShownAsStored({ use, foreignAddress, relation, secret }: FieldSpec): boolean {
  return use === 'stored' && !foreignAddress && !secret && relation?.collapsedTo === undefined
}

function isInteger({ type }: FieldSpec): boolean {
  return type === 'integer'
}

function isKey(spec: FieldSpec): boolean {
  if (spec.type === 'string') return !spec.long && Number(spec.json?.maxLength ?? 0) <= LONGEST_KEY
  return spec.type === 'boolean' || isComparable(spec)
}

function hasCurrency(noun: Noun, field: string): boolean {
  return noun.fields[field]!.spec.unit === 'minor units' && noun.fields.currency?.spec.use === 'stored'
}

function figureOf(figure: Aggregate['figure'], field: string | null): AliasedRawBuilder<unknown, string>[] {
  if (field === null) return [sql`count(*)`.as('figure')]
  const column = sql.ref(field)
  if (figure !== 'sum') return [sql`${sql.raw(figure === 'minimum' ? 'min' : 'max')}(${column})`.as('figure')]
  const digits = (of: string) => sql`cast(coalesce(sum(${column} ${sql.raw(of)} ${sql.lit(LOW)}), 0) as text)`
  return [digits('/').as('high'), digits('%').as('low')]
}

function currenciesOf(field: string): AliasedRawBuilder<unknown, string>[] {
  const currency = sql`case when ${sql.ref(field)} is not null then currency end`
  return [sql`min(${currency})`.as('one'), sql`max(${currency})`.as('other')]
}

function requireOneCurrency(found: Found[], by: string[]): void {
  const currencies = [...new Set(found.flatMap(({ one, other }) => [one, other]).filter((code) => code !== null))]
  if (currencies.length < 2) return
  const grouped = [...by, 'currency'].map((name) => `"${name}"`).join(', ')
  throw invalidParameter(
    'sum',
    `would add amounts of different currencies, such as ${currencies[0]} and ${currencies[1]}; use group_by(${grouped}).sum(…)`,
  )
}

/** A stored flag that is not 1 is false. */
function keyOf(noun: Noun, name: string) {
  return noun.fields[name]!.spec.type === 'boolean' ? sql`coalesce(${sql.ref(name)}, 0)` : sql`${sql.ref(name)}`
}

function shown(noun: Noun, name: string, key: Exclude<Key, boolean>): Key {
  return noun.fields[name]!.spec.type === 'boolean' ? key === 1 : key
}

function value({ figure, high, low }: Found): Group[1] {
  return low === undefined ? figure! : String(BigInt(high!) * BigInt(LOW) + BigInt(low!))
}

/** Compares texts by their code units, as no collation of a database does, so that both engines give the same order. */
function compare(a: Key[], b: Key[]): number {
  const index = a.findIndex((key, at) => key !== b[at])
  if (index < 0) return 0
  const [one, other] = [a[index]!, b[index]!]
  if (one === null || other === null) return one === null ? -1 : 1
  return one < other ? -1 : 1
}
