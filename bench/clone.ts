import { type RawBuilder, sql } from 'kysely'
import { anyTable } from '../src/records/records.ts'
import type { Shop } from '../test/support/shop.ts'

type Expression = RawBuilder<unknown>

/** Returns a function that makes ids from numbers, such as `cus_00000000000000000000000001`. */
export function numberedOn(engine: string): (prefix: string, number?: Expression) => Expression {
  return (prefix, number = sql`i`) =>
    engine === 'sqlite'
      ? sql`printf(${sql.lit(`${prefix}_%026d`)}, ${number})`
      : sql`${sql.lit(`${prefix}_`)} || lpad((${number})::text, 26, '0')`
}

/** Copies a row `count` times. The copies are numbered from 1 by `i`, and some columns get other values. */
export async function clone(
  shop: Shop,
  engine: string,
  table: string,
  id: string,
  count: number,
  values: Record<string, Expression>,
): Promise<void> {
  const row = await anyTable({ db: shop.db })
    .selectFrom(table)
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const names = Object.keys(row)
  const series =
    engine === 'sqlite'
      ? sql`(with recursive numbers (i) as (select 1 union all select i + 1 from numbers where i < ${sql.lit(count)}) select i from numbers) as n`
      : sql`generate_series(1, ${sql.lit(count)}) as n (i)`
  const columns = sql.join(names.map((name) => sql.ref(name)))
  const each = sql.join(names.map((name) => values[name] ?? sql`one.${sql.ref(name)}`))
  await shop.running.app.database.transaction(({ db }) =>
    sql`insert into ${sql.table(table)} (${columns}) select ${each} from ${sql.table(table)} as one, ${series} where one.id = ${id}`.execute(
      db,
    ),
  )
}
