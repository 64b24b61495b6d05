import { sql } from 'kysely'

/** Tax of what was kept: what refunds took of it is not the shop's to hand over. */
export const TAX_KEPT = sql<number>`0`
/** Where the buyer of an order is; null where nobody has said. */
export const COUNTRY = sql<string | null>`null`
