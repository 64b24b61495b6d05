import type { Vault } from '../services.ts'
import type { BackgroundRow } from './row.ts'

const PURPOSE = 'value of a background program'
/** The beginning of an encrypted value. Earlier releases stored values as JSON, which never begins like this. */
const SEALED = 'sealed '

type WithValue = Pick<BackgroundRow, 'last_value'>

/** Encrypts the return value of the last Ruby block for storage, because it may contain a secret. */
export function sealValue<Row extends WithValue>(vault: Pick<Vault, 'seal'>, row: Row): Row {
  const { last_value: value } = row
  return value === null ? row : { ...row, last_value: SEALED + vault.seal(PURPOSE, value) }
}

export function openValue<Row extends WithValue>(vault: Pick<Vault, 'open'>, row: Row): Row {
  const { last_value: value } = row
  if (value === null || !value.startsWith(SEALED)) return row
  return { ...row, last_value: vault.open(PURPOSE, value.slice(SEALED.length)) }
}
