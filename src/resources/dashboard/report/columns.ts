import { sql } from 'kysely'

/** Tax of what was kept: what refunds took of it is not the shop's to hand over. */
export const TAX_KEPT = sql<number>`amount_tax - amount_tax_refunded`
/** Where the buyer of an order is; null where nobody has said. */
export const COUNTRY = sql<string | null>`country`
