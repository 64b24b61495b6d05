import { keysOf } from './contract/values/keys.ts'
import { FORMATION_SETTINGS } from './features/formations/settings.ts'
import { SITE_SETTINGS, sharedDomain } from './features/sites/settings.ts'
import { SOCIAL_PAIRS, SOCIAL_SETTINGS } from './features/social/settings.ts'

/** The settings of all features. They are listed here, because commands read the settings without loading the features. */
export const FEATURE_SETTINGS = { ...FORMATION_SETTINGS, ...SITE_SETTINGS, ...SOCIAL_SETTINGS } as const

/** Settings of features that need another setting, with the needed setting and its purpose. */
export const FEATURE_PAIRS = [...SOCIAL_PAIRS]

/** Functions that return why settings do not go together, or null. */
export const FEATURE_CHECKS = [sharedDomain]

/** Settings of features by which something leaves this service. A copy that sends nothing does not use them. */
export const OUTSIDE_SETTINGS: readonly (keyof typeof FEATURE_SETTINGS)[] = [...keysOf(SOCIAL_SETTINGS), 'FILING_AGENT']
