import {
  type CleanedWhere,
  type CustomAdapter,
  createAdapterFactory,
  type DBAdapterInstance,
} from 'better-auth/adapters'
import type { Kysely } from 'kysely'
import { newId } from '../../contract/values/ids.ts'
import { within } from '../../database/within.ts'
import type { ShopDatabase, ShopScope } from '../../resources/tables.ts'
import { fromLibraryAddress } from './library-address.ts'

// The authentication library passes table and column names at run time.
// biome-ignore lint/suspicious/noExplicitAny: queries over tables that are not known to the types
type AnyTables = Kysely<any>
type Hash = (secret: string) => string
type ColumnValues = Record<string, unknown>

const PREFIXES: Record<string, string> = {
  user: 'user',
  session: 'sess',
  account: 'signin',
  verification: 'verif',
  passkey: 'passkey',
}

/** The only column with a secret. The library works with the plain secret, but only its hash is stored. */
const SECRET = 'token_hash'

/** Lets the sign-in library use our database connections and our writer. */
export function adapterOver(database: ShopDatabase, hash: Hash): DBAdapterInstance {
  const over = (scope: ShopScope, inTransaction: boolean): DBAdapterInstance =>
    createAdapterFactory({
      config: {
        adapterId: 'shopwright',
        supportsBooleans: false,
        supportsDates: false,
        supportsNumericIds: false,
        customIdGenerator: ({ model }) => newId(PREFIXES[model] ?? 'person'),
        transaction: inTransaction
          ? false
          : (work) => database.transaction((unit) => work(over(within(unit), true)(options()))),
      },
      adapter: ({ getFieldName }) => queriesOver(scope, hash, getFieldName),
    })
  let kept: Parameters<DBAdapterInstance>[0] | undefined
  const options = () => kept!
  return (given) => {
    kept = given
    return over(database, false)(given)
  }
}

type ColumnOf = (of: { model: string; field: string }) => string

function queriesOver(scope: ShopScope, hash: Hash, columnOf: ColumnOf): CustomAdapter {
  const { read, write } = untypedTables(scope)
  const stored = (values: ColumnValues) =>
    SECRET in values ? { ...values, [SECRET]: hash(String(values[SECRET])) } : values
  const hashed = (where: CleanedWhere[] = []) => where.map((one) => asStored(one, hash))

  return {
    async create({ model, data }) {
      await write((db) => db.insertInto(model).values(stored(data)).execute())
      return data
    },
    async findOne({ model, where }) {
      const found = await matching(read.selectFrom(model).selectAll(), hashed(where)).limit(1).executeTakeFirst()
      return found ? (withRequestedValues(found, where) as never) : null
    },
    async findMany({ model, where, limit, sortBy, offset }) {
      let query = matching(read.selectFrom(model).selectAll(), hashed(where)).limit(limit)
      if (sortBy) query = query.orderBy(columnOf({ model, field: sortBy.field }), sortBy.direction)
      return (await (offset ? query.offset(offset) : query).execute()) as never
    },
    async count({ model, where }) {
      const counted = read.selectFrom(model).select(({ fn }) => fn.countAll().as('count'))
      return Number((await matching(counted, hashed(where)).executeTakeFirstOrThrow()).count)
    },
    async update({ model, where, update }) {
      const set = stored(update as ColumnValues)
      const changed = await write((db) =>
        matching(db.updateTable(model).set(set), hashed(where)).returningAll().execute(),
      )
      return changed[0] ? (withRequestedValues(changed[0], where) as never) : null
    },
    async updateMany({ model, where, update }) {
      const set = stored(update)
      const changed = await write((db) =>
        matching(db.updateTable(model).set(set), hashed(where)).executeTakeFirstOrThrow(),
      )
      return Number(changed.numUpdatedRows)
    },
    async delete({ model, where }) {
      await write((db) => matching(db.deleteFrom(model), hashed(where)).execute())
    },
    async deleteMany({ model, where }) {
      const gone = await write((db) => matching(db.deleteFrom(model), hashed(where)).executeTakeFirstOrThrow())
      return Number(gone.numDeletedRows)
    },
    async consumeOne({ model, where }) {
      const gone = await write((db) => matching(db.deleteFrom(model), hashed(where)).returningAll().execute())
      return (gone[0] as never) ?? null
    },
  }
}

function untypedTables(scope: ShopScope) {
  return {
    read: scope.read as unknown as AnyTables,
    write: <Result>(work: (db: AnyTables) => Promise<Result>) =>
      scope.transaction(({ db }) => work(db as unknown as AnyTables)),
  }
}

function asStored(condition: CleanedWhere, hash: Hash): CleanedWhere {
  const { field, value } = condition
  if (field === SECRET) return { ...condition, value: hashedValue(value, hash) }
  return field === 'email' ? { ...condition, value: fromLibraryAddress(String(value)) } : condition
}

function hashedValue(value: CleanedWhere['value'], hash: Hash): CleanedWhere['value'] {
  return Array.isArray(value) ? value.map((one) => hash(String(one))) : hash(String(value))
}

/** Replaces the stored hash and email address with the values of the library's query, because the library compares them. */
function withRequestedValues(row: ColumnValues, where: CleanedWhere[]): ColumnValues {
  const asked = where.filter(({ field, operator }) => (field === SECRET || field === 'email') && operator === 'eq')
  return { ...row, ...Object.fromEntries(asked.map(({ field, value }) => [field, value])) }
}

const OPERATORS: Record<string, string> = {
  eq: '=',
  ne: '!=',
  lt: '<',
  lte: '<=',
  gt: '>',
  gte: '>=',
  in: 'in',
  not_in: 'not in',
}

/** Adds the library's conditions to a query. Throws for conditions that the library has not used so far. */
// biome-ignore lint/suspicious/noExplicitAny: selects, updates and deletions of any table
function matching<Query extends { where: (...args: any[]) => Query }>(query: Query, where: CleanedWhere[]): Query {
  return where.reduce((narrowed, { field, value, operator, connector, mode }) => {
    const known = OPERATORS[operator]
    if (known === undefined || connector === 'OR' || mode === 'insensitive')
      throw new Error(`The condition ${connector} ${field} ${operator} (${mode}) is not supported.`)
    if (value === null) return narrowed.where(field, operator === 'ne' ? 'is not' : 'is', null)
    return narrowed.where(field, known, value)
  }, query)
}
