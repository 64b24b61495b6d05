export interface Measured {
  /** The processor time of the replica, over all threads. */
  nodeMs: number
  mainMs: number
  databaseMs: number
  /** The time from the first query to the end, with the database on the same machine. The account lock is held for no longer. */
  transactionMs: number
  perSecond: number
}

export interface Assumptions {
  replicaCores: number
  databaseCores: number
  /** The share of the database's processor time that can be used before the database counts as full. */
  databaseUse: number
  roundTripMs: number
  tripsWriting: number
  tripsReading: number
  /** The maximum number of a replica's concurrent transactions: of programs that hold their account's lock, and of other programs. */
  connectionsInTurn: number
  connectionsOutOfTurn: number
  accounts: number
}

export interface Mix {
  reading: Measured
  writing: Measured
  shareWriting: number
}

export interface Estimate {
  perSecond: number
  bound: string
  /** The share of writing programs that have to run twice. */
  again: number
  /** The rate in programs per second at which the database is full. */
  databaseFull: number
}

const STEPS = 100

export function mixed(reading: Measured, writing: Measured, shareWriting: number): Mix {
  return { reading, writing, shareWriting }
}

/**
 * Estimates the programs per second of replicas, each on its own machine, with the database on another. The rate is limited by:
 *
 * - the processors of the replicas, and their main threads;
 * - the processors of the database, up to the share that may be used;
 * - the connections of each replica, which are held from the first query to the end;
 * - the account locks, which allow one writing program of an account at a time.
 *
 * Locks are per process. If two replicas write in the same account at the same time, one of them is assumed to run once more, at full
 * cost. Programs arrive randomly and evenly over accounts and replicas; PostgreSQL's work grows only with the number of programs.
 */
export function estimate({ reading, writing, shareWriting }: Mix, assumed: Assumptions, replicas: number): Estimate {
  const heldMs = writing.transactionMs + assumed.tripsWriting * assumed.roundTripMs
  const readMs = reading.transactionMs + assumed.tripsReading * assumed.roundTripMs
  let perSecond = 0
  let found: Estimate | undefined
  // The number of repeated runs depends on the rate, which depends on that number, so the calculation is iterated.
  for (let step = 0; step < STEPS; step++) {
    const writingOfOthers = (perSecond * shareWriting * (replicas - 1)) / replicas
    // Two transactions overlap if one starts less than its duration before the start of the other.
    const again = Math.min(1, (writingOfOthers * 2 * heldMs) / 1000 / assumed.accounts)
    const cost = (name: 'nodeMs' | 'mainMs' | 'databaseMs') =>
      reading[name] * (1 - shareWriting) + writing[name] * shareWriting * (1 + again)
    const databaseFull = (1000 * assumed.databaseCores * assumed.databaseUse) / cost('databaseMs')
    const held = (shareWriting * (1 + again) * heldMs) / 1000
    const bounds: [bound: string, most: number][] = [
      ["the replicas' processors", (1000 * replicas * assumed.replicaCores) / cost('nodeMs')],
      ["the replicas' main threads", (1000 * replicas) / cost('mainMs')],
      ['the processors of PostgreSQL', databaseFull],
      ['connections of writing programs', (replicas * assumed.connectionsInTurn) / held],
      [
        'connections of reading programs',
        (1000 * replicas * assumed.connectionsOutOfTurn) / ((1 - shareWriting) * readMs),
      ],
      ['the turns of accounts', assumed.accounts / held],
    ]
    const [bound, most] = bounds.reduce((least, one) => (one[1] < least[1] ? one : least))
    perSecond = (perSecond + most) / 2
    found = { perSecond, bound, again, databaseFull }
  }
  if (!found) throw new Error('No step was taken')
  return found
}
