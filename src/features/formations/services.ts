import type { Filings } from './providers/provider.ts'

export interface FormationServices {
  /** Files the documents of new companies; only jobs may do so. */
  filings: Filings
}
