import { sql } from 'kysely'
import { accountTables } from '../database/account-tables.ts'
import type { Db } from '../resources/tables.ts'
import { KEEP_FIRST, LAST_RESORT, type Rule } from './finding.ts'

const ADVICE = `${KEEP_FIRST} Then ask the makers of Shopwright with the lines above. ${LAST_RESORT}`

/** Columns, as `table.column`, with the table of the same account in which the referenced row must exist. */
export type References = Readonly<Record<string, string>>

export const REFERENCES: References = {
  'access_grants.customer': 'customers',
  'access_grants.order_id': 'orders',
  'access_grants.subscription': 'subscriptions',
  'background_rows.program_id': 'background_programs',
  'charges.order': 'orders',
  'charges.payment': 'payments',
  'checkouts.customer': 'customers',
  'checkouts.order': 'orders',
  'checkouts.subscription': 'subscriptions',
  'checkouts.invoice': 'invoices',
  'credit_entries.reservation': 'credit_entries',
  'customer_tags.customer_id': 'customers',
  'customer_tags.tag_id': 'tags',
  'disputes.order': 'orders',
  'disputes.payment': 'payments',
  'event_source_memories.event_source': 'event_sources',
  'form_submissions.form': 'forms',
  'form_submissions.respondent': 'customers',
  'invoices.customer': 'customers',
  'invoices.order': 'orders',
  'order_items.order': 'orders',
  'orders.charge': 'charges',
  'orders.checkout': 'checkouts',
  'orders.customer': 'customers',
  'orders.invoice': 'invoices',
  'orders.subscription': 'subscriptions',
  'payments.checkout': 'checkouts',
  'payments.invoice': 'invoices',
  'payments.order_id': 'orders',
  'payments.subscription': 'subscriptions',
  'price_variants.product': 'products',
  'refunds.charge': 'charges',
  'refunds.order': 'orders',
  'refunds.payment': 'payments',
  'reviews.customer': 'customers',
  'reviews.product': 'products',
  'subscriptions.customer': 'customers',
  'subscriptions.order': 'orders',
  'subscriptions.price_variant': 'price_variants',
  'subscriptions.product': 'products',
  'task_runs.task': 'tasks',
}

const PEOPLE = ['api_tokens', 'memberships', 'passkeys', 'sessions', 'sign_in_methods', 'address_changes']

/** Returns a rule for every column that references another row, because the database has no such constraints. */
export async function referenceRules(db: Db, ofFeatures: References): Promise<Rule[]> {
  const tables = await accountTables(db)
  const names = tables.map(({ name }) => name)
  return [
    ...Object.entries({ ...REFERENCES, ...ofFeatures }).map(([column, target]) => referenceRule(column, target)),
    ...PEOPLE.map((table) => personRule(table, names.includes(table))),
    ...tables.filter(({ name }) => name !== 'accounts').map(({ name }) => accountRule(name)),
  ]
}

function referenceRule(place: string, target: string): Rule {
  const [table = '', column = ''] = place.split('.')
  const value = sql.ref(`row.${column}`)
  return {
    area: 'references',
    problem: `Rows of ${table} name a row of ${target} that is missing (column ${column})`,
    advice: ADVICE,
    // Skips empty strings, because a service fee has one in place of an order.
    query: sql`
      select row.account_id, ${value} as id from ${sql.table(table)} as row
      where ${value} is not null and ${value} <> '' and not exists (
        select 1 from ${sql.table(target)} as named where named.account_id = row.account_id and named.id = ${value})`,
  }
}

function personRule(table: string, hasAccount: boolean): Rule {
  return {
    area: 'references',
    problem: `Rows of ${table} name a person who is missing`,
    advice: ADVICE,
    query: sql`
      select ${hasAccount ? sql.ref('row.account_id') : sql.lit('')} as account_id, row.user_id as id
      from ${sql.table(table)} as row where not exists (select 1 from users where users.id = row.user_id)`,
  }
}

/** Skips accounts that are being deleted, because their rows are removed step by step. */
function accountRule(table: string): Rule {
  return {
    area: 'references',
    problem: `Rows of ${table} belong to an account that is missing`,
    advice: ADVICE,
    query: sql`
      select owner.account_id, ${sql.lit(table)} as id from (select distinct account_id from ${sql.table(table)}) as owner
      where not exists (select 1 from accounts where accounts.account_id = owner.account_id)
        and not exists (select 1 from account_deletions where account_deletions.id = owner.account_id)`,
  }
}
