import { resolve } from 'node:path'
import type { Moment } from '../database/moment.ts'
import { openMoment } from '../database/open-moment.ts'
import { counted } from '../format/counts.ts'
import { bytesInWords } from '../format/sizes.ts'
import type { Finding } from '../integrity/finding.ts'
import { type Verified, type VerifyOptions, verify as verifyMoment } from '../integrity/verify.ts'
import { allMigrations } from '../migrations.ts'
import type { Tables } from '../resources/tables.ts'
import { readSettings, type Settings } from '../settings/config.ts'
import { exitCode } from './exit-codes.ts'
import { readOptions, refuseWords } from './options.ts'
import type { Terminal } from './terminal.ts'

export const USAGE = `Checks the data of the service and changes nothing, whether or not its server is running.

  npm run verify                 the database, what refers to what, money, credits, counters, jobs and files
  npm run verify -- --no-hashes  compares the sizes of files alone, and does not read them

Everything is looked at as it is at one moment. What is wrong is printed with where it is and what to do.`

export async function run(terminal: Terminal): Promise<number> {
  const { words, flags } = readOptions(terminal.args, {}, USAGE, ['no-hashes'])
  refuseWords(words, USAGE)
  const settings = readSettings(terminal.environment)
  const moment = await openNow(settings)
  try {
    const found = await verifyMoment(moment, {
      directory: settings.DATA_DIR,
      ...(await partsToCheck()),
      again: () => openNow(settings),
      hashes: !flags.has('no-hashes'),
    })
    for (const finding of found.findings) terminal.print(linesOf(finding).join('\n'))
    terminal.print(summary(found, settings))
    return exitCode(found.findings.some(({ severity }) => severity === 'wrong') ? 'wrong' : 'done')
  } finally {
    await moment.close()
  }
}

async function openNow({ DATABASE_URL, DATA_DIR }: Settings): Promise<Moment<Tables>> {
  return openMoment<Tables>({ databaseUrl: DATABASE_URL, directory: DATA_DIR, migrations: await allMigrations() })
}

/** The product is imported on demand, because it takes memory and time. */
async function partsToCheck(): Promise<Pick<VerifyOptions, 'jobs' | 'references' | 'storedFiles'>> {
  const { jobs, references, storedFiles } = (await import('../assembly.ts')).PRODUCT
  return { jobs: jobs.map(({ name }) => name), references, storedFiles }
}

function linesOf({ severity, area, problem, count, places, advice }: Finding): string[] {
  const title = `${severity === 'wrong' ? 'WRONG' : 'Note '}  ${area}: ${problem} (${count}).`
  return [title, ...places.map((place) => `         ${place}`), `       ${advice}`, '']
}

function summary({ findings, rules, files, bytes, outside }: Verified, { DATABASE_URL, DATA_DIR }: Settings): string {
  const wrong = findings.filter(({ severity }) => severity === 'wrong').length
  const place = DATABASE_URL ? 'The database of DATABASE_URL' : `The data directory ${resolve(DATA_DIR)}`
  const result = wrong === 0 ? 'nothing is wrong' : `${counted(wrong, 'thing')} wrong`
  const lines = [
    `${place}: ${counted(rules, 'rule')} and ${counted(files, 'file')} (${bytesInWords(bytes)}) checked, ${result}.`,
  ]
  if (outside > 0) lines.push(`${counted(outside, 'file')} in a store outside were not looked at.`)
  return lines.join('\n')
}
