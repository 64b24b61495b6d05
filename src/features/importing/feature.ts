import type { Feature } from '../../feature.ts'

/** Imports products, customers, orders and subscriptions from files of other shops, with the command `import`. */
export const importing: Feature = { name: 'importing' }
