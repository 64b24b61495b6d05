import type { ExpandableOf, ShownOf } from '../contract/declarations/shown.ts'
import type { formationResources } from '../features/formations/resources.ts'
import type { siteResources } from '../features/sites/resources.ts'
import type { socialResources } from '../features/social/resources.ts'
import type { dashboardResources } from './dashboard.ts'
import type { shop } from './shop.ts'

/** All resources, including those of features. */
export type AnyResource =
  | (typeof shop)[number]
  | (typeof formationResources)[number]
  | (typeof siteResources)[number]
  | (typeof socialResources)[number]
  | ReturnType<typeof dashboardResources>[number]

export type Nouns = { [R in AnyResource as R['noun']['name']]: R['noun'] }

export type NounName = keyof Nouns

/** The fields of a noun that can be expanded with the parameter `expand`. */
export type Expandable<Name extends NounName> = ExpandableOf<Nouns[Name]>

/** The JSON of a noun in responses. Fields named in `Expanded` contain whole resources: `Shown<'order', 'customer'>`. */
export type Shown<Name extends NounName, Expanded extends Expandable<Name> = never> = ShownOf<
  Nouns,
  Nouns[Name],
  Expanded
>
