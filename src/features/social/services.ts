import type { Social } from './providers/provider.ts'

export interface SocialServices {
  /** Calls social platforms; only jobs, operations without a transaction and the page where a person grants access may do so. */
  social: Social
}
