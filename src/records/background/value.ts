import type { Vault } from '../services.ts'
import type { BackgroundRow } from './row.ts'

const PURPOSE = 'value of a background program'
/** The beginning of an encrypted value. Earlier releases stored values as JSON, which never begins like this. */
const SEALED = 'sealed '

type Values = Pick<BackgroundRow, 'last_value' | 'value_sums'>

/** Encrypts the return values of the Ruby blocks for storage, because values and the names of counts may contain secrets. */
export function sealValues<Row extends Values>(vault: Pick<Vault, 'seal'>, row: Row): Row {
  return withValues(row, (value) => SEALED + vault.seal(PURPOSE, value))
}

export function openValues<Row extends Values>(vault: Pick<Vault, 'open'>, row: Row): Row {
  return withValues(row, (value) =>
    value.startsWith(SEALED) ? vault.open(PURPOSE, value.slice(SEALED.length)) : value,
  )
}

function withValues<Row extends Values>(row: Row, change: (value: string) => string): Row {
  const { last_value, value_sums } = row
  return {
    ...row,
    last_value: last_value === null ? null : change(last_value),
    value_sums: value_sums === null ? null : change(value_sums),
  }
}
