/** What a program takes, in milliseconds. */
export interface Measured {
  /** Processor time of the replica, of all its threads. */
  nodeMs: number
  /** That of its main thread, of which there is one. */
  mainMs: number
  /** Processor time of PostgreSQL. */
  databaseMs: number
  /** From the first query to the end, where the database is on the same machine; the turn of the account is held no longer. */
  transactionMs: number
  perSecond: number
}

export interface Assumed {
  /** Of each machine of a replica. */
  replicaCores: number
  databaseCores: number
  /** The part of the database's processors that can be used before it counts as full. */
  databaseUse: number
  /** Of the network between a replica and the database. */
  roundTripMs: number
  tripsWriting: number
  tripsReading: number
  /** Programs of a replica that may have a transaction: those in the turn of their account, and the others. */
  connectionsInTurn: number
  connectionsOutOfTurn: number
  accounts: number
}

/** Programs of which a share writes. */
export interface Mix {
  reading: Measured
  writing: Measured
  shareWriting: number
}

export interface Estimate {
  perSecond: number
  /** What it cannot go beyond. */
  bound: string
  /** Share of the writing programs that run a second time. */
  again: number
  /** Programs a second at which the database is full. */
  databaseFull: number
}

const STEPS = 100

export function mixed(reading: Measured, writing: Measured, shareWriting: number): Mix {
  return { reading, writing, shareWriting }
}

/**
 * Programs a second of so many replicas, of which each has a machine and the database has another. The least of these counts:
 *
 * - the processors of the replicas, and their main threads;
 * - the processors of the database, up to the part of them that may be used;
 * - the connections of each replica, held from the first query to the end;
 * - the turns: one writing program of an account at a time.
 *
 * Turns are of one process. Where two replicas write in the same account at the same time, one of them is assumed to run once more, at
 * full cost. Programs come at random and evenly over accounts and replicas; work for PostgreSQL grows with programs alone.
 */
export function estimate({ reading, writing, shareWriting }: Mix, assumed: Assumed, replicas: number): Estimate {
  const heldMs = writing.transactionMs + assumed.tripsWriting * assumed.roundTripMs
  const readMs = reading.transactionMs + assumed.tripsReading * assumed.roundTripMs
  let perSecond = 0
  let found: Estimate | undefined
  // How many run again depends on how many there are.
  for (let step = 0; step < STEPS; step++) {
    const writingOfOthers = (perSecond * shareWriting * (replicas - 1)) / replicas
    // Two that begin within the time that each lasts overlap.
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
