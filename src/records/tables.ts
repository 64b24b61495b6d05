import type { Row } from '../contract/noun.ts'

/**
 * Every table's columns, as the engines hold them. Each resource adds its own table beside its noun:
 * `declare module '../records/tables.ts' { interface Tables { tags: TableOf<typeof Tag> } }`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface Tables {}

/** A row as stored: 0 and 1 for booleans, JSON text for arrays and objects. */
export type TableOf<N> = { [Key in keyof Row<N>]: Raw<Row<N>[Key]> }

type Raw<Value> = Value extends boolean ? number : Value extends string | number | null ? Value : string
