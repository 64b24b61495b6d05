import type { Page } from '../../parts/document.ts'
import type { Values, Visit } from './visit.ts'

/** A part of the page of one thing, below its fields; null where there is nothing to say. */
export type Section = (visit: Visit, values: Values) => Promise<Page | null>

/** What the pages of one noun have beyond what follows from its declaration. */
export interface View {
  /** The columns of its lists. */
  columns?: string[]
  /** References that its pages show by name. Those that lists can expand are expanded anyway. */
  expand?: string[]
  /** Fields that its own page leaves out, because a section shows them better. */
  without?: string[]
  /** In place of the lists of what belongs to it, or before them. */
  sections?: Section[]
  /** Nouns whose lists its page shows; all that can be narrowed by it when absent. */
  related?: string[]
  /** Links and buttons of its page beyond its actions. */
  links?(visit: Visit, values: Values): Page | null
  /** Which of its actions its state permits, where the answers of the API do not say it. */
  allowed?(values: Values): string[]
  /** Links of its list beyond the usual buttons. */
  listLinks?(visit: Visit): Page
  /** A sentence under the heading of its list. */
  lead?: string
}
