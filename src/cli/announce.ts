import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { App, Log } from '../app.ts'
import type { Settings } from '../config.ts'
import type { Listening } from '../http/listen.ts'
import { makeDirectory } from '../make-directory.ts'
import { VERSION } from '../version.ts'
import { firstStartLines, greeting, QUIET } from './greeting.ts'
import { openLog } from './log.ts'
import type { Terminal } from './terminal.ts'

/** A file of the data directory with the secrets of a first start in production, until the operator deletes it. */
const FIRST_START_FILE = 'first-start.txt'

/** Says that the service runs: to a person in development, and in production to the log, whose readers may not see secrets. */
export async function announce(terminal: Terminal, app: App, settings: Settings, listening: Listening): Promise<void> {
  const { publicUrl, port } = listening
  if (settings.NODE_ENV !== 'production') return terminal.print(greeting(publicUrl, app, settings).join('\n'))
  const log = openLog(settings.LOG_LEVEL === 'silent' ? 'silent' : 'info')
  if (app.firstAccount) await keepSecrets(firstStartLines(publicUrl, app, settings), settings.DATA_DIR, log)
  if (app.isQuiet) log.warn({}, QUIET.join(' '))
  const mail = app.services.mail.providerFor({ test: false }).destination
  log.info({ version: VERSION, publicUrl, port, mail }, 'Shopwright is running')
}

/** Connects to the mail server once, and warns where that fails. */
export async function warnOfMail({ services: { mail } }: App, log: Log): Promise<void> {
  const { destination } = mail.providerFor({ test: false })
  await mail
    .check()
    .catch((err) =>
      log.warn({ err }, `E-mails cannot be ${destination} now: check the setting and whether the server runs.`),
    )
}

async function keepSecrets(lines: string[], directory: string, log: Log): Promise<void> {
  const file = resolve(join(directory, FIRST_START_FILE))
  try {
    await makeDirectory(directory)
    await writeFile(file, lines.join('\n'), { flag: 'wx', mode: 0o600, flush: true })
    log.warn({ file }, 'This file has the first API token and a link for setting a password. Read it, then delete it.')
  } catch (err) {
    log.error(
      { err, file },
      'The first API token and password link could not be written to this file. Make others: npm run token -- create "My agent" and npm run account -- password-link.',
    )
  }
}
