import { builderByTask } from './by-task/by-task.ts'
import type { SiteBuilder } from './provider.ts'

/** The builder of all sites. */
export function createBuilder(): SiteBuilder {
  return builderByTask
}
