import type { Derived } from '../../../records/resource.ts'
import type { EmailRow } from './email.ts'

/** Characters that need a name to be in quotation marks (RFC 5322, `specials`). */
const SPECIAL = /[()<>[\]:;@\\,."]/

export function deriveEmails(rows: EmailRow[]): Derived[] {
  return rows.map(({ from_name, from_address }) => ({ from: `${quoted(from_name)} <${from_address}>` }))
}

function quoted(name: string): string {
  return SPECIAL.test(name) ? `"${name.replace(/["\\]/g, '\\$&')}"` : name
}
