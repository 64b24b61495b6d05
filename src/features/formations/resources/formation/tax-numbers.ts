import type { Vault } from '../../../../records/services.ts'
import type { FormationRow } from './formation.ts'

type People = Pick<FormationRow, 'members' | 'responsible_party'>

/** Tax numbers are stored apart from the people, so responses that show people cannot expose them. */
export interface TaxNumbers {
  /** In the order of the formation's members. */
  members: (string | null)[]
  responsible_party: string | null
}

const PURPOSE = 'formation tax numbers'

/** A person with the tax number, which the noun's own type omits. */
interface MayHaveTaxId {
  tax_id?: string | null
}

export function withoutTaxNumbers(people: People): { people: People; numbers: TaxNumbers } {
  const taken = people.members.map(takeOut)
  const party = takeOut(people.responsible_party)
  return {
    people: { members: taken.map(({ rest }) => rest), responsible_party: party.rest },
    numbers: { members: taken.map(({ number }) => number), responsible_party: party.number },
  }
}

function takeOut<Person extends object>(person: Person & MayHaveTaxId): { rest: Person; number: string | null } {
  const { tax_id, ...rest } = person
  return { rest: rest as Person, number: tax_id?.replaceAll('-', '') ?? null }
}

export function sealNumbers(vault: Vault, numbers: TaxNumbers): string | null {
  const none = [...numbers.members, numbers.responsible_party].every((number) => number === null)
  return none ? null : vault.seal(PURPOSE, JSON.stringify(numbers))
}

export function openNumbers(vault: Vault, sealed: string | null): TaxNumbers {
  if (sealed === null) return { members: [], responsible_party: null }
  return JSON.parse(vault.open(PURPOSE, sealed)) as TaxNumbers
}
