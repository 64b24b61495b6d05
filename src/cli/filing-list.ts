import { SettingError } from '../config.ts'
import type { Database } from '../database/database.ts'
import type { Context } from '../records/context.ts'
import { requireRow } from '../records/records.ts'
import { Formation } from '../resources/company/formation/formation.ts'
import { filingOf } from '../resources/company/formation/jobs.ts'
import type { Tables } from '../resources/tables.ts'

/** Formations of all accounts, the oldest first, as the cells of a table: those that wait to be filed, or all. */
export async function listFilings({ read }: Database<Tables>, { all }: { all: boolean }): Promise<string[][]> {
  const rows = read
    .selectFrom('formations')
    .innerJoin('accounts', 'accounts.account_id', 'formations.account_id')
    .select(['formations.id', 'accounts.subdomain', 'accounts.test', 'formations.status', 'formations.payment_status'])
    .select(['formations.state', 'formations.name_options', 'formations.submitted_at'])
    .orderBy('formations.id')
  const found = await (all ? rows : rows.where('formations.status', '=', 'submitted')).execute()
  return found.map((row) => [
    row.id,
    row.subdomain,
    `${row.status}, ${row.payment_status}`,
    row.state,
    row.submitted_at ? `submitted ${row.submitted_at}` : 'not submitted',
    firstName(row.name_options as unknown as string),
    row.test ? 'test account' : '',
  ])
}

function firstName(stored: string): string {
  const [first] = JSON.parse(stored) as { name: string; entity_type_ending: string }[]
  return first ? `${first.name} ${first.entity_type_ending}` : ''
}

/** The account that has a formation. Throws SettingError when nobody has it. */
export async function requiredFiling({ read }: Database<Tables>, id: string): Promise<string> {
  const found = await read.selectFrom('formations').select('account_id').where('id', '=', id).executeTakeFirst()
  if (found) return found.account_id
  throw new SettingError(`There is no formation ${id}; npm run filings -- list --all shows those there are.`)
}

/** All that is needed to file a formation; tax numbers only where they are asked for. */
export async function shownFiling(context: Context, id: string, { taxNumbers }: { taxNumbers: boolean }) {
  const formation = await requireRow(context, Formation, id)
  const { status, payment_status, submitted_at, sealed_tax_numbers } = formation
  const { members, responsible_party, ...filing } = filingOf(context, formation)
  const shown = (person: (typeof members)[number] | typeof responsible_party) =>
    taxNumbers ? person : { ...person, tax_id: person.tax_id && 'given; add --tax-numbers' }
  return {
    ...{ id, status, payment_status, submitted_at, has_tax_numbers: sealed_tax_numbers !== null, ...filing },
    members: members.map(shown),
    responsible_party: shown(responsible_party),
  }
}
