import type { Feature } from './feature.ts'
import { formations } from './features/formations/feature.ts'
import { importing } from './features/importing/feature.ts'
import { sites } from './features/sites/feature.ts'
import { social } from './features/social/feature.ts'

/** All features of this product. To remove a feature, delete it from this list. Its tables stay in databases that have them. */
export const FEATURES: readonly Feature[] = [formations, importing, sites, social]
