import { aiSites } from './resources/ai-site/operations.ts'
import { siteBuilds } from './resources/site-build/operations.ts'

/** The resources of sites in the order of the catalogue. */
export const siteResources = [aiSites, siteBuilds] as const
