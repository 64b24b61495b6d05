/** One step of a transaction on the list of a key. */
export type Step =
  | { append: number; key: string }
  /** What was seen, in order; null where the answer never arrived. */
  | { read: readonly number[] | null; key: string }

/** What its client knows of a transaction. `unknown`: the answer never came, or says so. */
export type Outcome = 'committed' | 'undone' | 'unknown'

/** One transaction as its client saw it. Times are of one clock. */
export interface Transaction {
  id: number
  outcome: Outcome
  steps: readonly Step[]
  beganMs: number
  /** When its answer arrived. */
  endedMs: number
}

/** Names of anomalies, after Adya and Elle. */
export type AnomalyKind =
  | 'lost'
  | 'duplicate'
  | 'garbage'
  | 'incompatible order'
  | 'internal'
  | 'G0'
  | 'G1a'
  | 'G1b'
  | 'G1c'
  | 'G-single'
  | 'G2'

export interface Anomaly {
  kind: AnomalyKind
  /** A cycle that is one only because of what came before what in time. */
  realTime?: true
  detail: string
}
