import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Field, FieldSpec, FieldUse } from '../contract/declarations/field.ts'
import { text } from '../contract/declarations/kinds.ts'
import type { DeclaredOf, MeaningOf, Noun, UseOf, Value } from '../contract/declarations/noun.ts'
import type { Filter } from '../contract/declarations/operation.ts'
import {
  type Bound,
  entries,
  isComparable,
  isMoment,
  one,
  type Parameter,
  type Range,
  range,
  several,
} from '../contract/declarations/parameter.ts'
import { hasEntries } from '../database/json-entries.ts'
import { anyTable } from './any-table.ts'
import type { Context } from './context.ts'
import { PARTIAL_INDEX, type Select } from './page.ts'
import { hasText } from './search/text.ts'

/** A filter of a list; `Given` is the type of the values that callers can filter by. */
export type FilterOf<Given = unknown> = Filter<Select, Context, Given>
export type Filters = Record<string, FilterOf>

/** The bounds of a number or timestamp; a date means its beginning, 00:00 UTC. */
type Bounds<V> = { readonly [Name in Bound]?: V }

type FilterValue<V, All = V> = V extends boolean
  ? V
  : V extends number
    ? V | readonly V[] | Bounds<V>
    : V | readonly Extract<All, string>[]

type FieldOf<N, Name> = Name extends keyof DeclaredOf<N> ? DeclaredOf<N>[Name] : never

/** The values by which a noun's field can be filtered; timestamps accept only bounds. */
type FilterValueOf<N, Name> =
  MeaningOf<FieldOf<N, Name>> extends 'moment' ? Bounds<string> : FilterValue<NonNullable<Value<FieldOf<N, Name>>>>

type RangeNamesOf<N> = {
  [Name in keyof DeclaredOf<N>]: UseOf<DeclaredOf<N>[Name]> extends 'stored'
    ? MeaningOf<DeclaredOf<N>[Name]> extends 'moment'
      ? Name
      : NonNullable<Value<DeclaredOf<N>[Name]>> extends number
        ? Name
        : never
    : never
}[keyof DeclaredOf<N>]

type FilterValuesOf<Declared> = {
  [Name in keyof Declared]?: Declared[Name] extends FilterOf<infer Given> ? Given : never
}

/** The query parameters of a list: its filters, the ranges derived from its noun, and the parameters of every list. */
export type QueryOf<N, Declared> = (Declared extends object ? FilterValuesOf<Declared> : Record<never, never>) & {
  [Name in Exclude<RangeNamesOf<N>, keyof Declared>]?: FilterValueOf<N, Name>
} & {
  limit?: number
  starting_after?: string
  /** The name of a field; a leading minus sorts in descending order. */
  sort?: string
  created_at?: Bounds<string>
  updated_at?: Bounds<string>
  metadata?: Readonly<Record<string, string>>
}

/** Filters by a column: callers pass one boolean, any of several words or ids, or a value or range of a number. */
export function equals<N extends Noun, const Column extends keyof DeclaredOf<N> & string>(
  noun: N,
  column: Column,
  description?: string,
): FilterOf<FilterValueOf<N, Column>> {
  const field = noun.fields[column]!
  if (isComparable(field.spec)) return within(noun, column, sql.ref(column), description)
  if (field.spec.type === 'boolean') {
    return {
      parameter: one(field, description),
      apply: (query, value) => query.where(column as string, '=', Number(value)),
    }
  }
  return {
    parameter: severalOf(field, description),
    apply: (query, values) => query.where(column as string, 'in', values as string[]),
  }
}

/** Filters by a range of a field whose value `shown` computes from the noun's own columns. Null is in no range. */
export function within<N extends Noun, const Name extends keyof DeclaredOf<N> & string>(
  noun: N,
  name: Name,
  shown: Expression<unknown>,
  description?: string,
): FilterOf<FilterValueOf<N, Name>> {
  const field = noun.fields[name]!
  const { spec } = field
  return {
    parameter: range(field, rangeDescription(spec, description)),
    apply: (query, given) => {
      const { anyOf, bounds } = given as Range
      const values = anyOf?.map((value) => operand(spec, value))
      const narrowed = values ? query.where(sql<SqlBool>`${shown} in (${sql.join(values)})`) : query
      return bounds.reduce(
        (all, { bound, value }) => all.where(sql<SqlBool>`${shown} ${OPERATORS[bound]} ${operand(spec, value)}`),
        narrowed,
      )
    },
  }
}

export function anyOf<Word extends string>(
  parameter: Parameter,
  condition: (value: Word, context: Context) => Expression<SqlBool>,
): FilterOf<FilterValue<Word>> {
  return {
    parameter: severalOf(parameter),
    apply: (query, values, context) =>
      query.where(({ or }) => or((values as Word[]).map((value) => condition(value, context)))),
  }
}

/** Filters by a text that the searchable fields contain, ignoring case and accents. */
export function search(description: string): FilterOf<string> {
  return {
    parameter: text(description, { max: 200, example: 'ruby' }),
    idsFirst: true,
    apply: (query, value, context) => query.where(hasText(context, String(value))),
  }
}

export function filterSeveral<Value extends string>(
  field: Field<Value | null, boolean, FieldUse>,
  description: string,
  apply: (select: Select, values: Value[], context: Context) => Select,
): FilterOf<FilterValue<Value>> {
  return {
    parameter: several(field, description),
    apply: (select, values, context) => apply(select, values as Value[], context),
  }
}

export function filter(
  parameter: Parameter,
  apply: FilterOf['apply'],
): FilterOf<FilterValue<string | number | boolean>> {
  return { parameter, apply }
}

/** Returns the declared filters, a range for each other number and timestamp not in `withoutRanges`, and the filter by `metadata`. */
export function filtersOf(noun: Noun, declared: Filters, { withoutRanges, sortedBy }: RangeOptions): Filters {
  const ranges = Object.entries(noun.fields).filter(
    ([name, { spec }]) =>
      spec.use === 'stored' && isComparable(spec) && !Object.hasOwn(declared, name) && !withoutRanges.includes(name),
  )
  return {
    ...declared,
    ...Object.fromEntries(ranges.map(([name]) => [name, rangeOf(noun, name, sortedBy.includes(name))])),
    ...(noun.fields.metadata && { metadata: ofMetadata(noun.fields.metadata) }),
  }
}

interface RangeOptions {
  withoutRanges: readonly string[]
  sortedBy: readonly string[]
}

function rangeOf(noun: Noun, name: string, isSorted: boolean): FilterOf {
  const by = (shown: Expression<unknown>): FilterOf => within(noun, name as never, shown)
  const plain = by(sql.ref(name))
  const key = sql`(${sql.ref(name)} + 0)`
  return isSorted ? fewByIndex(noun, plain, { key, indexed: by(key) }) : plain
}

/** The maximum number of rows looked up in a sort index. If more match, reading the list in order finds some soon enough. */
const MOST_BY_INDEX = 500

interface SortIndex {
  key: RawBuilder<unknown>
  indexed: FilterOf
}

/**
 * Filters by a range of a sortable number: by ids that `indexed` finds in the sort index if they are few, otherwise by `plain`. They are
 * sorted by the key of the index, because PostgreSQL would otherwise guess that any index soon finds enough of them.
 */
function fewByIndex(noun: Noun, plain: FilterOf, { key, indexed }: SortIndex): FilterOf {
  return {
    parameter: plain.parameter,
    apply: async (query, given, context) => {
      const rows = anyTable(context).selectFrom(noun.plural).select('id').where('account_id', '=', context.accountId)
      const inRange = await indexed.apply(rows.where(PARTIAL_INDEX), given, context)
      const found = await inRange
        .orderBy(key)
        .limit(sql.lit(MOST_BY_INDEX + 1))
        .execute()
      const narrowed = await plain.apply(query, given, context)
      if (found.length > MOST_BY_INDEX) return narrowed
      return narrowed.where('id', 'in', found.length > 0 ? found.map(({ id }) => id) : [''])
    },
  }
}

function ofMetadata(field: Parameter): FilterOf {
  return {
    parameter: entries(field, 'By key: `metadata[campaign]=spring`'),
    apply: (query, given, { db }) => query.where(hasEntries(db, 'metadata', given as Record<string, string>)),
  }
}

const OPERATORS: Record<Bound, RawBuilder<unknown>> = {
  gt: sql.raw('>'),
  gte: sql.raw('>='),
  lt: sql.raw('<'),
  lte: sql.raw('<='),
}

/**
 * Casts numbers, because PostgreSQL would otherwise give them the type of the column, which may be too small. SQLite looks up an
 * expression in its index only by a value without a column's type, which adding 0 removes.
 */
function operand(spec: FieldSpec, value: string | number): RawBuilder<unknown> {
  if (isMoment(spec)) return sql`${value}`
  return spec.type === 'integer' ? sql`(cast(${value} as bigint) + 0)` : sql`(cast(${value} as double precision) + 0)`
}

function severalOf(field: Parameter, description = field.spec.description): Parameter {
  return several(field, `${description}; one or several${field.spec.relation ? ' ids' : ''}`)
}

function rangeDescription(spec: FieldSpec, given = spec.description): string {
  const meaning = given.split(/[;:]|\. /)[0]!
  const unit =
    spec.unit === undefined || meaning.toLowerCase().includes(spec.unit.toLowerCase()) ? '' : `, in ${spec.unit}`
  const dates = isMoment(spec) ? '; a date means 00:00 UTC' : ''
  return `${meaning}${unit}${dates}; gte and lte are inclusive${spec.nullable ? '; rows with null never match' : ''}`
}
