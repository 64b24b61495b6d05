import type { Feature } from '../../feature.ts'

/** Imports of products, customers, orders and subscriptions from files of other shops, by command. */
export const importing: Feature = { name: 'importing' }
