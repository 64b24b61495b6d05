import type { Feature } from './feature.ts'
import { FEATURES } from './features.ts'
import type { References } from './integrity/references.ts'
import type { Extensions } from './records/extensions.ts'
import type { JobType } from './records/job.ts'
import type { Resource } from './records/resource.ts'
import { dashboardResources } from './resources/dashboard.ts'
import { shop as core } from './resources/shop.ts'

/** The core together with features. */
export interface Assembly {
  features: readonly Feature[]
  /** The resources of the public API in the order of the catalogue. */
  shop: readonly Resource[]
  /** The resources that only the dashboard uses. */
  dashboard: readonly Resource[]
  jobs: readonly JobType<unknown>[]
  /** The references between rows of features. */
  references: References
  /** The queries of stored files of features. */
  storedFiles: Extensions['storedFiles']
}

export function assemble(features: readonly Feature[]): Assembly {
  const shop = features.reduce<readonly Resource[]>(withFeature, coreWith(features))
  const dashboard = dashboardResources(shop, features)
  const jobs = [...shop, ...dashboard].flatMap((resource) => resource.jobs)
  const references: References = Object.assign({}, ...features.map((feature) => feature.references))
  return { features, shop, dashboard, jobs, references, storedFiles: features.flatMap((one) => one.storedFiles ?? []) }
}

/** The product with all of its features. */
export const PRODUCT = assemble(FEATURES)

/** Returns the core. Its operations and jobs that may end task runs also declare the events that features emit for task runs. */
function coreWith(features: readonly Feature[]): readonly Resource[] {
  const events = features.flatMap(({ taskUses = [] }) => taskUses.flatMap((use) => use.events))
  const followed = <One extends { emits: readonly string[] }>(one: One): One =>
    one.emits.includes('ai_task_run.canceled') ? { ...one, emits: [...one.emits, ...events] } : one
  return core.map((resource: Resource) => ({
    ...resource,
    operations: resource.operations.map(followed),
    jobs: resource.jobs.map(followed),
  }))
}

function withFeature(shop: readonly Resource[], { resources = [], after }: Feature): readonly Resource[] {
  const place = after === undefined ? shop.length : shop.findIndex(({ noun }) => noun.name === after) + 1
  return shop.toSpliced(place, 0, ...resources)
}
