import type { Feature } from './feature.ts'
import { formations } from './features/formations/feature.ts'
import { importing } from './features/importing/feature.ts'
import { sites } from './features/sites/feature.ts'
import { social } from './features/social/feature.ts'

/** All features of this product. A feature that is left out here is not built; its tables stay in databases that have them. */
export const FEATURES: readonly Feature[] = [formations, importing, sites, social]
