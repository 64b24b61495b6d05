import { FORMATION_SETTINGS } from './features/formations/settings.ts'
import { SOCIAL_PAIRS, SOCIAL_SETTINGS } from './features/social/settings.ts'

/** The settings of all features. They are listed here, because commands read the settings without loading the features. */
export const FEATURE_SETTINGS = { ...FORMATION_SETTINGS, ...SOCIAL_SETTINGS } as const

/** Settings of features that need another setting, with the needed setting and its purpose. */
export const FEATURE_PAIRS = [...SOCIAL_PAIRS]
