import type { Vault } from '../services.ts'
import type { BackgroundRow } from './row.ts'

const PURPOSE = 'value of a background program'
/** No JSON begins so: earlier releases kept values as JSON. */
const SEALED = 'sealed '

type WithValue = Pick<BackgroundRow, 'last_value'>

/** A row as it is stored: what its last block returned may be a secret, as in kept answers. */
export function sealValue<Row extends WithValue>(vault: Pick<Vault, 'seal'>, row: Row): Row {
  const { last_value: value } = row
  return value === null ? row : { ...row, last_value: SEALED + vault.seal(PURPOSE, value) }
}

/** A stored row with its value as JSON. */
export function openValue<Row extends WithValue>(vault: Pick<Vault, 'open'>, row: Row): Row {
  const { last_value: value } = row
  if (value === null || !value.startsWith(SEALED)) return row
  return { ...row, last_value: vault.open(PURPOSE, value.slice(SEALED.length)) }
}
