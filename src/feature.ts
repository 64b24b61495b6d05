import type { Database } from './database/database.ts'
import type { Happening } from './demo/happening.ts'
import type { HttpFeature } from './http/http.ts'
import type { References } from './integrity/references.ts'
import type { RetentionRule } from './jobs/prune.ts'
import type { Gauge } from './monitoring/metrics.ts'
import type { Resource } from './records/resource.ts'
import type { Services } from './records/services.ts'
import type { DashboardOperationParts } from './resources/dashboard.ts'
import type { Tables } from './resources/tables.ts'
import type { ServiceFeature } from './services.ts'

/**
 * The manifest of an optional part of the product, which is in a folder of its own, `src/features/<name>/`. It contains
 * everything that the core needs to know about the feature, except its settings (`feature-settings.ts`), its commands
 * (`feature-commands.ts`), its migrations (`migrations/*.sql` in its folder) and the types of its tables (`tables.ts`).
 */
export interface Feature extends DashboardOperationParts, HttpFeature, ServiceFeature {
  name: string
  /** The resources of the public API. In the catalogue they follow the resource of the noun `after`, or all others. */
  resources?: readonly Resource[]
  after?: string
  /** Tables from which old rows are deleted. */
  retention?: readonly RetentionRule[]
  /** References between rows, which `npm run verify` checks. */
  references?: References
  /** Returns figures for `/metrics`. */
  gauges?(database: Pick<Database<Tables>, 'read'>, services: Services): Promise<Gauge[]>
  /** Events in the history of the demo shop. */
  demo?: readonly Happening[]
}
