import type { SiteBuilders } from './providers/provider.ts'

export interface SiteServices {
  /** Builds sites; an operation may choose a builder, but only jobs may start a build. */
  builders: SiteBuilders
  /** The domain under which sites are served; null if none are. */
  sitesDomain: string | null
}
