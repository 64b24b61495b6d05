import { keysOf } from './contract/values/keys.ts'
import { FORMATION_SETTINGS } from './features/formations/settings.ts'
import { SITE_SETTINGS, sharedDomain } from './features/sites/settings.ts'
import { SOCIAL_PAIRS, SOCIAL_SETTINGS } from './features/social/settings.ts'

/** The settings of all features. They are listed here, because commands read the settings without loading the features. */
export const FEATURE_SETTINGS = { ...FORMATION_SETTINGS, ...SITE_SETTINGS, ...SOCIAL_SETTINGS } as const

/** Feature settings that need another setting. Each entry names the setting, the one that it needs, and what for. */
export const FEATURE_PAIRS = [...SOCIAL_PAIRS]

/** Functions that check combinations of settings. Each returns why a combination is not allowed, or null. */
export const FEATURE_CHECKS = [sharedDomain]

/** Settings with which features reach other services. A restored copy that must send nothing ignores them. */
export const OUTSIDE_SETTINGS: readonly (keyof typeof FEATURE_SETTINGS)[] = [...keysOf(SOCIAL_SETTINGS), 'FILING_AGENT']
