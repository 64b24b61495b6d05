import type { Kysely } from 'kysely'
import type { Moment } from '../database/moment.ts'
import type { Tables } from '../resources/tables.ts'
import { COUNTERS } from './counters.ts'
import { lookAtFiles } from './files.ts'
import { type Finding, findingOf, foundAt } from './finding.ts'
import { jobRules } from './jobs.ts'
import { CREDITS, MONEY } from './money.ts'
import { referenceRules } from './references.ts'

export interface VerifyOptions {
  /** Where the files are. */
  directory: string
  /** The kinds of jobs that this version knows. */
  jobs: readonly string[]
  /** Opens the database anew, to look at what has changed meanwhile. */
  again(): Promise<Pick<Moment<Tables>, 'db' | 'close'>>
  /** Whether the bytes of files are read, or their sizes alone are compared. */
  hashes: boolean
}

/** What was found, and how much was looked at. */
export interface Verified {
  findings: Finding[]
  rules: number
  files: number
  bytes: number
  /** Files in stores outside, which were not looked at. */
  outside: number
}

/** Checks everything that has to be true of a service's data, and changes nothing. */
export async function verify(moment: Moment<Tables>, options: VerifyOptions): Promise<Verified> {
  const damage = foundAt(await moment.damage(), {
    area: 'database',
    severity: 'wrong',
    problem: 'The file of the database is damaged',
    advice:
      'Stop the service, copy the data directory as it is to another disk, and check this one. Then restore a backup; what follows below may come of the damage.',
  })
  const rules = [...(await referenceRules(moment.db)), ...MONEY, ...CREDITS, ...COUNTERS, ...jobRules(options.jobs)]
  const findings: (Finding | null)[] = [damage]
  for (const rule of rules) findings.push(await findingOf(moment.db, rule))
  const { findings: ofFiles, ...looked } = await filesOf(moment.db, options)
  return {
    findings: [...findings.filter((finding) => finding !== null), ...ofFiles],
    rules: rules.length + 1,
    files: looked.count,
    bytes: looked.bytes,
    outside: looked.outside,
  }
}

async function filesOf(db: Kysely<Tables>, { directory, hashes, again }: VerifyOptions) {
  const opened: Pick<Moment<Tables>, 'close'>[] = []
  const later = async () => {
    const moment = await again()
    opened.push(moment)
    return moment.db
  }
  try {
    return await lookAtFiles({ db, later, directory, hashes })
  } finally {
    for (const moment of opened) await moment.close()
  }
}
